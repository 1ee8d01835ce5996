// Package audit refuses what a sandbox's engine does not model. It walks every node of a parsed text by reflection:
// each field that is set must be in the engine's table of supported (node, field, value), which `make audit` generates
// from what the tests execute. A hint or an option that nobody reads would be a silent lie. What differs between the
// engines' trees is in Tree; each engine has a package of its own with its table.
package audit

import (
	"bufio"
	"bytes"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// Tree says how to read the nodes of a tree: structs, below pointers, interfaces, slices and fields of structs.
type Tree struct {
	Line  func(node reflect.Value) int                                  // where a struct begins, from 1; 0: where the one around it does
	Skip  func(field reflect.StructField) bool                          // fields that say nothing: positions
	Words func(field reflect.StructField, value reflect.Value) []string // values out of a fixed list; nil: the value is the user's
}

// Facts yields the facts of a tree, outer ones first: "Node", "Node Field" of each field that is set and "Node Field Value"
// of each of its words; each with the line where it stands.
func (t Tree) Facts(node any) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) { t.walk(reflect.ValueOf(node), 0, yield) }
}

// walk reports whether yield wants more.
func (t Tree) walk(v reflect.Value, line int, yield func(string, int) bool) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return v.IsNil() || t.walk(v.Elem(), line, yield)
	case reflect.Slice:
		for i := range v.Len() {
			if !t.walk(v.Index(i), line, yield) {
				return false
			}
		}
	case reflect.Struct:
		return t.node(v, line, yield)
	}
	return true
}

func (t Tree) node(v reflect.Value, line int, yield func(string, int) bool) bool {
	if l := t.Line(v); l > 0 {
		line = l
	}
	name := v.Type().Name()
	if !yield(name, line) {
		return false
	}
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if !field.IsExported() || t.Skip(field) || f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			continue
		}
		fact := name + " " + field.Name
		if !yield(fact, line) {
			return false
		}
		for _, word := range t.Words(field, f) {
			if !yield(fact+" "+word, line) {
				return false
			}
		}
		if !t.walk(f, line, yield) {
			return false
		}
	}
	return true
}

// Table holds the facts that an engine models.
type Table map[string]bool

// Read makes a table of a text, a fact a line; lines that begin with # are comments.
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

// Check refuses the first fact that is not in the table: the error is sqlerr.NotSupported with the fact and its line.
func (t Table) Check(facts iter.Seq2[string, int]) error {
	for fact, line := range facts {
		if !t[fact] {
			return Refuse(fact, line)
		}
	}
	return nil
}

// Refuse is the error for a fact that is not modelled.
func Refuse(fact string, line int) error {
	text := fact
	if node, rest, ok := strings.Cut(fact, " "); ok {
		text = node + " with " + rest
		if field, value, ok := strings.Cut(rest, " "); ok {
			text = fmt.Sprintf("%s with %s = %s", node, field, value)
		}
	}
	e := sqlerr.NotSupported("%s", text)
	e.Line = line
	return e
}
