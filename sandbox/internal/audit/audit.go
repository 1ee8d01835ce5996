// Package audit refuses what a sandbox's engine does not model. It walks every node of a parsed text by reflection:
// each field that is set must be in the engine's table of supported (node, field, value), which `make audit` generates
// from what the tests execute. An ignored hint or option would be a silent lie. Tree holds what differs between
// the engines' trees; each engine has its own package with its table.
package audit

import (
	"bufio"
	"bytes"
	"iter"
	"reflect"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Tree says how to read the nodes of a tree: structs, below pointers, interfaces, slices and fields of structs.
type Tree struct {
	Place func(node reflect.Value) Place                                // where a struct is; Line 0: where the enclosing one is
	Skip  func(field reflect.StructField) bool                          // fields without meaning: positions
	Words func(field reflect.StructField, value reflect.Value) []string // values from a fixed list; nil: the user chooses the value
}

// Place is where a node is: its line, from 1, and the bytes of the text from Start to End; End is 0 if unknown.
type Place struct{ Line, Start, End int }

// Facts yields the facts of a tree, outer ones first: "Node", "Node Field" for each field that is set and "Node Field Value"
// for each of its words; each with its place.
func (t Tree) Facts(node any) iter.Seq2[string, Place] {
	return func(yield func(string, Place) bool) { t.walk(reflect.ValueOf(node), Place{}, yield) }
}

// walk reports whether yield wants more.
func (t Tree) walk(v reflect.Value, at Place, yield func(string, Place) bool) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return v.IsNil() || t.walk(v.Elem(), at, yield)
	case reflect.Slice:
		for i := range v.Len() {
			if !t.walk(v.Index(i), at, yield) {
				return false
			}
		}
	case reflect.Struct:
		return t.node(v, at, yield)
	}
	return true
}

func (t Tree) node(v reflect.Value, at Place, yield func(string, Place) bool) bool {
	if place := t.Place(v); place.Line > 0 {
		at = place
	}
	name := v.Type().Name()
	if !yield(name, at) {
		return false
	}
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if !field.IsExported() || t.Skip(field) || f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			continue
		}
		fact := name + " " + field.Name
		if !yield(fact, at) {
			return false
		}
		for _, word := range t.Words(field, f) {
			if !yield(fact+" "+word, at) {
				return false
			}
		}
		if !t.walk(f, at, yield) {
			return false
		}
	}
	return true
}

// Table holds the facts that an engine models.
type Table map[string]bool

// Read parses a table from a text, one fact per line; lines that begin with # are comments.
func Read(text []byte) Table {
	table := Table{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			table[line] = true
		}
	}
	return table
}

// Check refuses the first fact that is not in the table: the error is sqlerr.NotSupported with the words and line of the text.
func (t Table) Check(facts iter.Seq2[string, Place], text string) error {
	for fact, place := range facts {
		if !t[fact] {
			return refuse(fact, place, text)
		}
	}
	return nil
}

// refuse describes what is not modeled in the words of the text, since the names of nodes and fields are ours: the offending
// word and the construct it is in.
func refuse(fact string, at Place, text string) error {
	shown := ""
	if at.Start >= 0 && at.Start < len(text) {
		shown = text[at.Start:]
		if at.End > at.Start && at.End <= len(text) {
			shown = text[at.Start:at.End]
		}
	}
	shown = strings.Join(strings.Fields(shown), " ")
	if r := []rune(shown); len(r) > 60 {
		shown = string(r[:60]) + " …"
	}
	_, field, inside := strings.Cut(fact, " ")
	if _, word, ok := strings.Cut(field, " "); ok {
		field = word
	}
	what := `"` + shown + `"`
	if inside {
		what = strings.ToUpper(capital.ReplaceAllString(strings.Trim(field, `"`), "${1}_$2")) + " in " + what
	}
	e := sqlerr.NotSupported("%s", what)
	e.Line = at.Line
	return e
}

// capital is where a word of a field's name begins.
var capital = regexp.MustCompile("([a-z])([A-Z])")
