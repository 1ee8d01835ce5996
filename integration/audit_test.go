package integration

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox/mssql/audit"
	"github.com/dbsched/dbsched/templates"
)

// TestAuditTable: the table of the T-SQL that the sandbox takes covers dbsched's own SQL, statements that no test has
// executed among it. `make audit` makes the table out of what all tests execute.
func TestAuditTable(t *testing.T) {
	text, err := os.ReadFile("../sandbox/mssql/audit/supported.txt")
	require.NoError(t, err)
	table := map[string]bool{}
	for fact := range strings.Lines(string(text)) {
		table[strings.TrimSuffix(fact, "\n")] = true
	}
	var missing []string
	covers := func(name, sql string) {
		require.NoError(t, audit.Facts(sql, func(fact string) {
			if !table[fact] {
				missing = append(missing, name+": "+fact)
			}
		}), name)
	}
	params := templates.Params{Schema: "dbsched", Lanes: 16, Version: "0.1"}
	install, err := templates.MSSQL(params)
	require.NoError(t, err)
	uninstall, err := templates.MSSQLUninstall(params)
	require.NoError(t, err)
	for _, b := range append(install, uninstall...) {
		covers(b.Name, b.SQL)
	}
	tables, err := migrations.MSSQL(params.Schema)
	require.NoError(t, err)
	require.NoError(t, fs.WalkDir(tables, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		sql, err := fs.ReadFile(tables, path)
		covers(path, string(sql))
		return err
	}))
	require.Empty(t, missing, "no test executes this: write one, then run `make audit`")
}
