package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// direct lists the modules whose packages this repository imports, tests included.
func direct(t *testing.T) []string {
	t.Helper()
	modules := set(`(?m)^\s*(?:require )?([a-z0-9.-]+\.[a-z]+/\S+) v\S+`, read(t, "go.mod"))
	var found []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			if os.IsNotExist(err) { // somebody else's temporary file
				return nil
			}
			return err
		case d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), "."), d.Name() == "testdata":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			for _, m := range modules {
				if name == m || strings.HasPrefix(name, m+"/") {
					found = append(found, m)
				}
			}
		}
		return nil
	})
	require.NoError(t, err)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestDirectDependenciesAreDocumented(t *testing.T) {
	require.Equal(t, direct(t), set("(?m)^\\| `([^`]+)` \\|", read(t, "docs/dependencies.md")))
}
