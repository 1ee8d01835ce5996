package integration

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox/mssql/audit"
	oracleaudit "github.com/dbsched/dbsched/sandbox/oracle/audit"
	"github.com/dbsched/dbsched/sandbox/oracle/parser"
	"github.com/dbsched/dbsched/templates"
)

// TestAuditTable: the tables of what the sandbox takes cover dbsched's own SQL, statements that no test has executed
// among it. `make audit` makes the tables out of what all tests execute.
func TestAuditTable(t *testing.T) {
	t.Run("mssql", func(t *testing.T) {
		params := templates.Params{Schema: "dbsched", Lanes: 16, Version: "0.1"}
		install, err := templates.MSSQL(params)
		require.NoError(t, err)
		uninstall, err := templates.MSSQLUninstall(params)
		require.NoError(t, err)
		tables, err := migrations.MSSQL(params.Schema, nil)
		require.NoError(t, err)
		covered(t, "mssql", append(install, uninstall...), tables, func(sql string, visit func(fact string)) error {
			_, err := audit.Parse(sql, visit)
			return err
		})
	})
	t.Run("oracle", func(t *testing.T) {
		params := templates.Params{Schema: "APP", Lanes: 16, Version: "0.1"}
		install, err := templates.Oracle(params)
		require.NoError(t, err)
		uninstall, err := templates.OracleUninstall(params)
		require.NoError(t, err)
		tables, err := migrations.Oracle("DS_", nil)
		require.NoError(t, err)
		covered(t, "oracle", append(install, uninstall...), tables, func(sql string, visit func(fact string)) error {
			n, err := parser.Statement(sql)
			if err != nil {
				return err
			}
			for fact := range oracleaudit.Facts(n) {
				visit(fact)
			}
			return nil
		})
	})
}

// covered checks batches and migrations against an engine's table.
func covered(t *testing.T, engine string, batches []templates.Batch, tables fs.FS, facts func(sql string, visit func(fact string)) error) {
	t.Helper()
	text, err := os.ReadFile("../sandbox/" + engine + "/audit/supported.txt")
	require.NoError(t, err)
	table := map[string]bool{}
	for fact := range strings.Lines(string(text)) {
		table[strings.TrimSuffix(fact, "\n")] = true
	}
	var missing []string
	covers := func(name, sql string) {
		require.NoError(t, facts(sql, func(fact string) {
			if !table[fact] {
				missing = append(missing, name+": "+fact)
			}
		}), name)
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
