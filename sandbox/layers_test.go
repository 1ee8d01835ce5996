package sandbox_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// layers lists the packages from the lowest up. A package imports only packages of lower layers, and only those that its own
// engine may use; packages of one layer do not import each other.
var layers = [][]string{
	{"kernel", "sqlerr", "value", "parsecache", "checkpoint", "wire", "charset", "syntax", "timezone", "site", "testing/enginescript", "testing/fuzztext"},
	{"message", "function"},
	{"audit", "agent", "query", "store", "mssql/datatype", "oracle/datatype", "oracle/ast", "wire/tds", "wire/tns"},
	{"optimizer", "broker", "aq", "jobs", "mssql/parser", "mssql/builtin", "oracle/parser", "oracle/builtin", "oracle/catalog"},
	{"expression", "mssql/catalog"},
	{"mssql/plan", "mssql/ddl", "oracle/plan", "mssql/security", "mssql/temporary", "mssql/settings"},
	{"oracle/plsql", "oracle/ddl", "oracle/transaction", "oracle/settings", "mssql/transaction"},
	{"oracle/supplied", "oracle/temporary"},
	{"mssql", "oracle"},
}

// upward lists the remaining imports against the rule. The list may only become shorter.
var upward []string

// TestLayers pins the direction of imports.
func TestLayers(t *testing.T) {
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "./internal/...")
	out, err := list.Output()
	require.NoError(t, err)
	const root = "github.com/dbsched/dbsched/sandbox/internal/"
	layer := func(name string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
	}
	engine := func(name string) string {
		first, _, _ := strings.Cut(name, "/")
		return map[string]string{"mssql": "mssql", "broker": "mssql", "agent": "mssql", "oracle": "oracle", "aq": "oracle", "jobs": "oracle"}[first]
	}
	var found []string
	packages := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		}
		require.NoError(t, err)
		packages++
		name := strings.TrimPrefix(p.ImportPath, root)
		require.NotEqual(t, -1, layer(name), "%s is in no layer", name)
		for _, path := range p.Imports {
			of, ok := strings.CutPrefix(path, root)
			if !ok {
				// Names of time zones are data, as if from a library; those of differences are below all layers.
				if path != "github.com/dbsched/dbsched/internal/zones" && path != "github.com/dbsched/dbsched/sandbox/differ" {
					require.NotContains(t, path, "dbsched/", "%s looks at the product", name)
				}
				continue
			}
			if layer(of) >= layer(name) || engine(of) != "" && engine(of) != engine(name) {
				found = append(found, name+" -> "+of)
			}
		}
	}
	require.Equal(t, len(slices.Concat(layers...)), packages)
	require.Equal(t, upward, found)
}
