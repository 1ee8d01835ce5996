package sandbox_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two declarations of different engines are twins if each has at least this many lines and they are at least this similar.
const (
	twinLines    = 8
	twinLikeness = 0.7
)

// twins lists the pairs that stay separate, by reason.
var twins = map[string][]string{
	"holders of other types, whose code is a declaration or a lookup by name": {
		"broker/broker.go Instance = aq/aq.go Instance",
		"broker/receive.go Rows = aq/catalog.go Messages",
		"mssql/catalog/object.go Table = oracle/catalog/dictionary.go ColumnsOf",
		"mssql/plan/names.go names = oracle/plan/names.go binder",
	},
	"datatypes and what counts with them stay apart": {
		"mssql/builtin/builtin.go wide = oracle/builtin/builtin.go textType",
		"mssql/builtin/strings.go trimSet = oracle/builtin/text.go TrimSet",
		"mssql/datatype/compare.go AppendKey = oracle/datatype/compare.go AppendKey",
	},
	"statements that are only alike in their form": {
		"mssql/ddl/ddl.go execute = oracle/ddl/ddl.go execute",
		"mssql/ddl/principal.go security = oracle/ddl/ddl.go execute",
	},
}

// declaration is a function or type of an engine, as tokens.
type declaration struct {
	name   string
	tokens []string
	count  map[string]int
}

// TestTwins finds declarations of both engines that are alike: common code belongs in a layer below.
func TestTwins(t *testing.T) {
	left, right := declarations(t, "internal/mssql", "internal/wire/tds", "internal/broker", "internal/agent"), declarations(t, "internal/oracle", "internal/wire/tns", "internal/aq", "internal/jobs")
	seen, listed := map[string]bool{}, map[string]bool{}
	for _, pairs := range twins {
		for _, pair := range pairs {
			listed[pair] = true
		}
	}
	for _, a := range left {
		for _, b := range right {
			if n := alike(a, b); n >= twinLikeness {
				pair := a.name + " = " + b.name
				seen[pair] = true
				if !listed[pair] {
					t.Errorf("%.2f %s", n, pair)
				}
			}
		}
	}
	for pair := range listed {
		assert.True(t, seen[pair], "%s are no longer twins: remove them from the list", pair)
	}
}

// declarations returns the functions and types under some folders.
func declarations(t *testing.T, folders ...string) (out []declaration) {
	t.Helper()
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, decl := range file.Decls {
				name := ""
				switch x := decl.(type) {
				case *ast.FuncDecl:
					name = x.Name.Name
				case *ast.GenDecl:
					spec, ok := x.Specs[0].(*ast.TypeSpec)
					if !ok {
						continue
					}
					name = spec.Name.Name
				}
				from, to := set.Position(decl.Pos()), set.Position(decl.End())
				if to.Line-from.Line+1 < twinLines {
					continue
				}
				one := declaration{name: fmt.Sprintf("%s %s", strings.TrimPrefix(path, "internal/"), name), count: map[string]int{}}
				one.tokens = tokens(source[from.Offset:to.Offset])
				for _, s := range one.tokens {
					one.count[s]++
				}
				out = append(out, one)
			}
			return nil
		}))
	}
	return out
}

func tokens(source []byte) (out []string) {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(source)), bytes.TrimSpace(source), nil, 0)
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok != token.SEMICOLON || text == ";" {
			if text == "" {
				text = tok.String()
			}
			out = append(out, text)
		}
	}
}

// alike returns the share of tokens that both have in the same order.
func alike(a, b declaration) float64 {
	all := len(a.tokens) + len(b.tokens)
	most := 0
	for s, n := range a.count {
		most += min(n, b.count[s])
	}
	if float64(2*most) < twinLikeness*float64(all) {
		return 0
	}
	row := make([]int, len(b.tokens)+1)
	for _, s := range a.tokens {
		before := 0
		for j, u := range b.tokens {
			old := row[j+1]
			if s == u {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			before = old
		}
	}
	return 2 * float64(row[len(b.tokens)]) / float64(all)
}
