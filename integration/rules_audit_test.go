package integration

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// TestAuditTable: the tables of what the sandbox accepts cover dbsched's own SQL, including statements that no test has
// executed. `make audit` generates the tables from what all tests execute.
func TestAuditTable(t *testing.T) {
	t.Run("mssql", func(t *testing.T) {
		params := templates.Params{Schema: "dbsched", Lanes: 16, Version: "0.1"}
		install, err := templates.MSSQL(params)
		require.NoError(t, err)
		uninstall, err := templates.MSSQLUninstall(params)
		require.NoError(t, err)
		tables, err := migrations.MSSQL(params.Schema, nil)
		require.NoError(t, err)
		covered(t, "mssql", append(install, uninstall...), tables)
	})
	t.Run("oracle", func(t *testing.T) {
		params := templates.Params{Schema: "APP", Lanes: 16, Version: "0.1"}
		install, err := templates.Oracle(params)
		require.NoError(t, err)
		uninstall, err := templates.OracleUninstall(params)
		require.NoError(t, err)
		tables, err := migrations.Oracle("DS_", nil)
		require.NoError(t, err)
		covered(t, "oracle", append(install, uninstall...), tables)
	})
}

// covered checks batches and migrations against an engine's table.
func covered(t *testing.T, engine string, batches []templates.Batch, tables fs.FS) {
	t.Helper()
	text, err := os.ReadFile("../sandbox/internal/mssql/parser/supported.txt")
	require.NoError(t, err)
	table := map[string]bool{}
	for fact := range strings.Lines(string(text)) {
		table[strings.TrimSuffix(fact, "\n")] = true
	}
	var missing []string
	covers := func(name, sql string) {
		facts, err := sandbox.Facts(engine, sql)
		require.NoError(t, err, name)
		for _, fact := range facts {
			if !table[fact] {
				missing = append(missing, name+": "+fact)
			}
		}
	}
	for _, b := range batches {
		covers(b.Name, b.SQL)
	}
	require.NoError(t, fs.WalkDir(tables, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".sql") { // others are parts of these
			return err
		}
		sql, err := fs.ReadFile(tables, path)
		covers(path, string(sql))
		return err
	}))
	require.Empty(t, missing, "no test executes this: write one, then run `make audit`")
}
