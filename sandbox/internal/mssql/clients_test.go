package mssql_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TestBulkLoadOptions: what JDBC's batches, tedious and SqlClient send in INSERT BULK.
func TestBulkLoadOptions(t *testing.T) {
	srv := newSimulated(t, 1)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	_, err = s.Exec("CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY, Name varchar(5) NULL, At time(3) NULL);")
	require.NoError(t, err)
	types := []datatype.Type{datatype.Of(datatype.Int), {ID: datatype.VarChar, Len: 5}}
	for i, options := range []string{
		"", " WITH (TABLOCK)", " WITH (ROWS_PER_BATCH = 10, KILOBYTES_PER_BATCH = 5)", " WITH (ORDER (Id ASC), CHECK_CONSTRAINTS, TABLOCK)",
	} {
		announce := "INSERT BULK [dbo].[T] ([Id] int, [Name] varchar(5) COLLATE SQL_Latin1_General_CP1_CI_AS)" + options
		require.Empty(t, tell(srv, s, func(s *mssql.Session) { s.RunBatch(announce) }), options)
		row := value.Row{value.NewInt(int64(i)), value.NewString("x")}
		require.Equal(t, "done 1", tell(srv, s, func(s *mssql.Session) { s.RunBulk(types, []value.Row{row}) }), options)
	}
	require.Equal(t, "error 49999", tell(srv, s, func(s *mssql.Session) { s.RunBatch("INSERT BULK dbo.T ([Id] int) WITH (NO_TRIGGERS)") }))
}

// TestTablesWithoutTheirType: a driver that does not know the name of a table's type omits it; the procedure's parameter has it.
func TestTablesWithoutTheirType(t *testing.T) {
	srv := newSimulated(t, 1)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	for _, text := range []string{
		"CREATE TYPE dbo.Ids AS TABLE (Id int NOT NULL);",
		"CREATE PROCEDURE dbo.Total @ids dbo.Ids READONLY, @n int = 0 AS SELECT SUM(Id) + @n FROM @ids;",
	} {
		_, err = s.Exec(text)
		require.NoError(t, err)
	}
	call := func(name string) string {
		return tell(srv, s, func(s *mssql.Session) {
			s.RunRPC("dbo.Total", []mssql.RPCParam{{
				Name: name, Type: datatype.Type{ID: datatype.Table}, Columns: []datatype.Type{datatype.Of(datatype.Int)},
				Table: []value.Row{{value.NewInt(2)}, {value.NewInt(3)}},
			}})
		})
	}
	require.Equal(t, "columns, row, done 1", call("@ids"))
	require.Equal(t, "error 8145", call("@other"), "is no parameter of the procedure")
	require.Equal(t, "error 8145", call("@n"), "is no table")
}

// described records what clients learn about columns, and which command a DONE names.
type described struct {
	mssql.Recorder
	said []string
}

func (d *described) Columns(columns []plan.Column) {
	for _, c := range columns {
		d.said = append(d.said, fmt.Sprintf("%s updatable=%t computed=%t", c.Name, c.Updatable, c.Computed))
	}
}
func (d *described) Done(done mssql.Done) { d.said = append(d.said, fmt.Sprint("kind ", done.Kind)) }

// TestColumnsAreDescribed: names are as in the query, and flags say which columns may be written ([MS-TDS] 2.2.7.4), as JDBC's
// bulk batches ask. A definition's DONE differs from others, which matters for JDBC's counts -1 and 0.
func TestColumnsAreDescribed(t *testing.T) {
	srv := newSimulated(t, 1)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	ask := func(batch string) []string {
		d := &described{}
		s.Submit(d, func(s *mssql.Session) { s.RunBatch(batch) }, func() {})
		srv.Kernel().RunReady()
		return d.said
	}
	for _, definition := range []string{
		"CREATE TABLE dbo.T (Id int IDENTITY NOT NULL, Name varchar(5) NULL);", "ALTER TABLE dbo.T ADD Code int NULL;", "CREATE INDEX IX_T ON dbo.T (Name);",
	} {
		require.Equal(t, []string{fmt.Sprint("kind ", mssql.Definition)}, ask(definition), definition)
	}
	require.Equal(t, []string{
		"ID updatable=false computed=false", "name updatable=true computed=false", " updatable=false computed=true", "n updatable=true computed=false",
		fmt.Sprint("kind ", mssql.Select),
	}, ask("SELECT ID, t.name, Id + 1, Code AS n FROM dbo.T t;"))
	require.Equal(t, []string{"Name updatable=true computed=false", fmt.Sprint("kind ", mssql.Select)}, ask("SELECT [NAME] AS Name FROM dbo.T;"))
}
