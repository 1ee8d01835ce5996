// Package audit refuses SQL and PL/SQL that the sandbox parses but does not model: the audit of package sandbox/audit
// over package ast. Values of ast's string types, the names of hints, booleans that are set and fields that are set are
// facts; plain strings (names, literals, source text) are the user's. Names of functions, privileges, parameters and
// values of options are checked where they are interpreted.
package audit

import (
	_ "embed"
	"iter"
	"reflect"
	"strings"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/audit"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

//go:embed supported.txt
var supportedText []byte

// supported reads the table once; it does not change.
var supported = sync.OnceValue(func() audit.Table { return audit.Read(supportedText) })

// census records facts when tests take the census (audit.CensusVariable), otherwise nil.
var census = sync.OnceValue(func() func(string) { return audit.Census("oracle") })

// Check refuses (sqlerr.NotSupported) a tree with a node, field or value outside the table. While the census is taken
// it refuses nothing and counts instead.
func Check(n ast.Node, text string) error {
	if census() == nil {
		return supported().Check(Facts(n), text)
	}
	Count(n)
	return nil
}

// Count adds to the census, if one is taken, a tree that is executed without Check: in tests of the engine's parts.
func Count(n ast.Node) {
	if tell := census(); tell != nil {
		for fact := range Facts(n) {
			tell(fact)
		}
	}
}

// Facts yields the facts of a tree with their places.
func Facts(n ast.Node) iter.Seq2[string, audit.Place] { return tree.Facts(n) }

var position, plain = reflect.TypeFor[ast.Pos](), reflect.TypeFor[string]()

var tree = audit.Tree{
	Place: func(n reflect.Value) audit.Place {
		if n.NumField() == 0 || n.Field(0).Type() != position {
			return audit.Place{}
		}
		p := n.Field(0).Interface().(ast.Pos)
		return audit.Place{Line: p.Line, Start: p.Offset}
	},
	Skip: func(f reflect.StructField) bool { return f.Type == position },
	Words: func(f reflect.StructField, v reflect.Value) []string {
		switch {
		case f.Name == "Hint":
			return hints(v.String())
		case v.Kind() == reflect.String && v.Type() != plain:
			return []string{v.String()}
		}
		return nil
	},
}

// hints are the names in the text of a hint, without their parameters.
func hints(text string) []string {
	var names strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '(':
			depth++
			names.WriteByte(' ')
		case r == ')':
			depth--
		case depth <= 0:
			names.WriteRune(r)
		}
	}
	return strings.Fields(strings.ToUpper(names.String()))
}
