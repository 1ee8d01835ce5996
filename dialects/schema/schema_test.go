package schema

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/migrations"
)

// TestMigrations: everything that the migrations make is known, and each column but a virtual one has a type.
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
		}
		require.NotEmpty(t, c.schema.Indexes)
		for _, table := range c.schema.Tables {
			require.NotEmpty(t, table.Columns, table.Name)
			for _, column := range table.Columns {
				require.False(t, column.Type == "" && column.Virtual == "", "%s.%s", table.Name, column.Name)
			}
		}
	}
}
