package schema

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
)

// TestMigrations: everything that the migrations make is known.
func TestMigrations(t *testing.T) {
	mssql, oracle := New(false), New(true)
	for _, c := range []struct {
		schema *Schema
		apply  func(string) error
		files  func() (fs.FS, error)
	}{
		{mssql, mssql.Batch, func() (fs.FS, error) { return migrations.MSSQL("we'[ird name", nil) }},
		{oracle, oracle.Block, func() (fs.FS, error) { return migrations.Oracle("DS_", nil) }},
	} {
		files, err := c.files()
		require.NoError(t, err)
		all, err := migrations.Up(files)
		require.NoError(t, err)
		for _, m := range all {
			require.NoError(t, c.apply(m.SQL), m.File)
			upper := strings.ToUpper(m.SQL)
			for _, s := range []*Schema{c.schema} {
				for _, table := range s.Tables {
					for _, col := range table.Columns {
						t.Logf("%s.%s %q null=%v default=%q %s id=%v virt=%q", table.Name, col.Name, col.Type, !col.NotNull, col.Default, col.DefaultName, col.Identity, col.Virtual)
					}
					t.Logf("%s keys %+v", table.Name, table.Keys)
					t.Logf("%s checks %+v", table.Name, table.Checks)
				}
				for _, x := range s.Indexes {
					t.Logf("%+v", x)
				}
				t.Logf("%v %v", s.Sequences, s.Types)
				t.Logf("%v", s.Options)
			}
			_ = upper
		}
	}
}
