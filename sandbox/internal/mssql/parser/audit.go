// Package parser parses T-SQL and refuses T-SQL that the sandbox does not model. It applies the audit of package sandbox/audit to the
// parser's tree, and rules to its tokens, because the parser accepts much that the engine does not.
package parser

import (
	_ "embed"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/audit"
)

//go:embed supported.txt
var supportedText []byte

// supported reads the table once; it does not change.
var supported = sync.OnceValue(func() audit.Table { return audit.Read(supportedText) })

// CensusFromEnvironment returns the function that receives facts when tests take the census (audit.CensusVariable), otherwise nil.
func CensusFromEnvironment() func(fact string) { return audit.Census("mssql") }

// freeText are the string fields whose values are the user's: names, literals, comments.
var freeText = []string{"Value", "Name", "Text", "QuoteType", "Collation"}

var tree = audit.Tree{
	Place: func(n reflect.Value) audit.Place {
		if v := n.FieldByName("Fragment"); v.IsValid() {
			if f, ok := v.Interface().(ast.Fragment); ok {
				return audit.Place{Line: f.StartLine, Start: f.StartOffset, End: f.EndOffset()}
			}
		}
		return audit.Place{}
	},
	Skip: func(f reflect.StructField) bool { return f.Name == "Fragment" },
	Words: func(f reflect.StructField, v reflect.Value) []string {
		switch {
		case v.Kind() == reflect.String && !slices.Contains(freeText, f.Name):
			words := strings.Split(v.String(), ",")
			for i := range words {
				words[i] = strings.TrimSpace(words[i])
			}
			return words
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
			var words []string
			for i := range v.Len() {
				words = append(words, v.Index(i).String())
			}
			return words
		}
		return nil
	},
}

// facts yields the facts of a batch: those of its tokens, which say most to the reader of a refusal, then those of its tree. Options of SET
// are left to the session, which refuses them one by one.
func facts(b *ast.Batch, tokens []token) iter.Seq2[string, audit.Place] {
	return func(yield func(string, audit.Place) bool) {
		going := true
		each := func(fact string, at audit.Place) bool {
			going = strings.HasPrefix(fact, "PredicateSetStatement ") || strings.HasPrefix(fact, "GeneralSetCommand ") || yield(fact, at)
			return going
		}
		walkTokens(b, tokens, each)
		if going {
			tree.Facts(b)(each)
		}
	}
}
