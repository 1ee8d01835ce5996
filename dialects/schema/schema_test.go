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

// TestWhatComesBackWithATable: what belongs to a table that is gone, or that its repair makes anew, is not made a second time.
func TestWhatComesBackWithATable(t *testing.T) {
	want := []Part{
		{Kind: "table", Name: "MARKS", Is: "ID number", Make: []string{"create table", "create index"}, Mend: []string{"drop table", "create table", "create index"}},
		{Kind: "index", Name: "MARKS_IX", Is: "MARKS (ID)", Needs: []string{"table MARKS"}, Make: []string{"create index"}},
	}
	for name, there := range map[string]map[string]string{
		"gone":                         {},
		"different, and its index too": {"table MARKS": "ID varchar2"},
	} {
		found := Compare(want, there)
		require.Len(t, found, 1, name)
		require.Equal(t, "table MARKS", found[0].Key(), name)
	}
	found := Compare(want, map[string]string{"table MARKS": "ID number"})
	require.Len(t, found, 1)
	require.Equal(t, "index MARKS_IX", found[0].Key())
}
