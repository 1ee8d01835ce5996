package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/dbsched/dbsched/sandbox/internal/oracle"

// TestRead checks that the engine reads every field that the parser sets: the planner, the compiler of PL/SQL, the definitions or the
// session. What is only parsed would be a silent lie: the parser must not take it.
func TestRead(t *testing.T) {
	read, all := fieldsRead(t)
	for _, f := range all {
		require.True(t, read[f], "nothing reads %s", f)
	}
}

// fieldsRead returns the fields "Node Field" of package ast that the engine's packages read, according to their types, and
// all fields in the order of the nodes' names.
func fieldsRead(t *testing.T) (read map[string]bool, all []string) {
	t.Helper()
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	list := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles", module)
	list.Stderr = os.Stderr
	out, err := list.Output()
	require.NoError(t, err)
	packages := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		packages[p.ImportPath] = p
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(packages[path].Export) })

	tree, err := imports.Import(module + "/ast")
	require.NoError(t, err)
	names := map[*types.Var]string{}
	for _, node := range tree.Scope().Names() {
		s, ok := tree.Scope().Lookup(node).Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for i := range s.NumFields() {
			if f := s.Field(i); f.Type().String() != module+"/ast.Pos" {
				names[f] = node + " " + f.Name()
				all = append(all, names[f])
			}
		}
	}
	read = map[string]bool{}
	for path, p := range packages {
		if !strings.HasPrefix(path, module) || slices.Contains([]string{module + "/ast", module + "/parser"}, path) {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
			require.NoError(t, err)
			files = append(files, f)
		}
		info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
		conf := types.Config{Importer: imports}
		_, err := conf.Check(path, fset, files, info)
		require.NoError(t, err)
		written := map[ast.Expr]bool{}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
					for _, x := range a.Lhs {
						written[x] = true
					}
				}
				return true
			})
		}
		for x, s := range info.Selections {
			if v, ok := s.Obj().(*types.Var); ok && !written[x] {
				read[names[v]] = true
			}
		}
	}
	return read, all
}
