// Package audit refuses T-SQL that the sandbox does not model. It walks every node of a parsed batch by reflection:
// each field that is set must be in the table of supported (node, field, value), which the tests generate from the
// scripts that the engine is known to execute rightly. A hint or an option that nobody reads would be a silent lie.
package audit

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/sqlerr"
)

//go:embed supported.txt
var supportedText []byte

// supported reads the table once; it does not change.
var supported = sync.OnceValue(func() map[string]bool {
	table := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(supportedText))
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			table[line] = true
		}
	}
	return table
})

// check refuses a batch that has a node, field, value or token outside the table.
func check(b *ast.Batch, tokens []token) error {
	var bad string
	var line int
	Walk(b, func(fact string, at int) bool {
		if supported()[fact] {
			return true
		}
		bad, line = fact, at
		return false
	})
	if bad == "" {
		walkTokens(b, tokens, func(fact string, t token) bool {
			if supported()[fact] {
				return true
			}
			bad, line = fact, t.line
			return false
		})
	}
	if bad == "" {
		return nil
	}
	e := sqlerr.NotSupported("%s", describe(bad))
	e.Line = line
	return e
}

func describe(fact string) string {
	parts := strings.Fields(fact)
	switch len(parts) {
	case 1:
		return parts[0]
	case 2:
		return fmt.Sprintf("%s with %s", parts[0], parts[1])
	}
	return fmt.Sprintf("%s with %s = %s", parts[0], parts[1], strings.Join(parts[2:], " "))
}

// Walk visits the facts of a tree: "Node", "Node Field" and, for words out of a fixed list, "Node Field Value",
// each with the line where it stands, until visit returns false.
func Walk(node any, visit func(fact string, line int) bool) {
	w := walker{visit: visit}
	w.walk(reflect.ValueOf(node), 0)
}

type walker struct {
	visit func(fact string, line int) bool
	ended bool
}

func (w *walker) see(fact string, line int) {
	if !w.ended && !w.visit(fact, line) {
		w.ended = true
	}
}

func (w *walker) walk(v reflect.Value, line int) {
	if w.ended || !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem(), line)
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), line)
		}
	case reflect.Struct:
		w.node(v, line)
	}
}

func (w *walker) node(v reflect.Value, line int) {
	t := v.Type()
	if f := v.FieldByName("Fragment"); f.IsValid() {
		if l := f.FieldByName("StartLine"); l.IsValid() && l.Int() > 0 {
			line = int(l.Int())
		}
	}
	w.see(t.Name(), line)
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Name == "Fragment" || !field.IsExported() || v.Field(i).IsZero() {
			continue
		}
		f := v.Field(i)
		if f.Kind() == reflect.Slice && f.Len() == 0 {
			continue
		}
		w.see(t.Name()+" "+field.Name, line)
		w.word(t.Name(), field.Name, f, line)
		w.walk(f, line)
	}
}

// freeText are the string fields whose values are the user's: names, literals, comments.
var freeText = []string{"Value", "Name", "Text", "QuoteType", "Collation"}

// word reports the value of a string or boolean field that is one of a fixed list.
func (w *walker) word(node, field string, f reflect.Value, line int) {
	switch f.Kind() {
	case reflect.String:
		if !slices.Contains(freeText, field) {
			for part := range strings.SplitSeq(f.String(), ",") {
				w.see(node+" "+field+" "+strings.TrimSpace(part), line)
			}
		}
	case reflect.Slice:
		if f.Type().Elem().Kind() == reflect.String {
			for i := range f.Len() {
				w.see(node+" "+field+" "+f.Index(i).String(), line)
			}
		}
	}
}
