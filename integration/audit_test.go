package integration

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/sandbox/mssql/audit"
	"github.com/dbsched/dbsched/templates"
)

var updateAudit = flag.Bool("update", false, "write the table of supported T-SQL anew")

const auditTable = "../sandbox/mssql/audit/supported.txt"

// TestAuditTable keeps the table of the T-SQL that the sandbox takes equal to what the tests execute: dbsched's own SQL, the
// scripts of this folder and the conformance scripts. A batch that a script expects to be refused ("-- @refused") adds nothing.
func TestAuditTable(t *testing.T) {
	facts := map[string]bool{}
	learn := func(name, text string) {
		err := audit.Facts(text, func(fact string) { facts[fact] = true })
		assert.NoError(t, err, "%s:\n%s", name, text)
	}
	for _, batch := range auditBatches(t) {
		learn(batch.name, batch.text)
	}
	table := strings.Join(slices.Sorted(maps.Keys(facts)), "\n") + "\n"
	if *updateAudit {
		require.NoError(t, os.WriteFile(auditTable, []byte(table), 0o644))
		return
	}
	have, err := os.ReadFile(auditTable)
	require.NoError(t, err)
	require.Equal(t, table, string(have), "make audit writes the table anew")
}

type auditBatch struct{ name, text string }

func auditBatches(t *testing.T) []auditBatch {
	t.Helper()
	var out []auditBatch
	params := templates.Params{Schema: "dbsched", Lanes: 16, Version: "0.1"}
	install, err := templates.MSSQL(params)
	require.NoError(t, err)
	uninstall, err := templates.MSSQLUninstall(params)
	require.NoError(t, err)
	for _, b := range append(install, uninstall...) {
		out = append(out, auditBatch{b.Name, b.SQL})
	}
	schema, err := migrations.MSSQL(params.Schema)
	require.NoError(t, err)
	require.NoError(t, fs.WalkDir(schema, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(schema, path)
		out = append(out, auditBatch{path, string(text)})
		return err
	}))
	for _, pattern := range []string{"testdata/*.sql", "../sandbox/mssql/testdata/conformance/*.sql"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, batch := range strings.Split(string(text), "\ngo\n") {
				if !strings.Contains(batch, "-- @refused") {
					out = append(out, auditBatch{file, batch})
				}
			}
		}
	}
	return out
}
