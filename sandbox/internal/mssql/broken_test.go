package mssql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/mssql"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/plan"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// order records the order in which a client receives things.
type order struct {
	mssql.Recorder
	said []string
}

func (o *order) Columns([]plan.Column) { o.said = append(o.said, "columns") }
func (o *order) Row(value.Row)         { o.said = append(o.said, "row") }
func (o *order) Done(d mssql.Done)     { o.said = append(o.said, fmt.Sprint("done ", d.Rows)) }
func (o *order) Error(e *sqlerr.Error) { o.said = append(o.said, fmt.Sprint("error ", e.Number)) }

// tell runs a request and returns what its client receives.
func tell(srv *mssql.Server, s *mssql.Session, request func(*mssql.Session)) string {
	o := &order{}
	s.Submit(o, request, func() {})
	srv.Kernel().RunReady()
	return strings.Join(o.said, ", ")
}

// TestBrokenResultSet: a statement has one DONE, after its error, which tells clients that the rows before it are incomplete
// ([MS-TDS] 2.2.7.6). If a CATCH handles the error, the result set ends without one.
func TestBrokenResultSet(t *testing.T) {
	srv := newSimulated(t, 1)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	_, err = s.Exec("CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY); INSERT INTO dbo.T (Id) VALUES (2), (1), (0);")
	require.NoError(t, err)
	_, err = s.Exec("CREATE FUNCTION dbo.Bad (@n int) RETURNS int AS BEGIN RETURN 1 / @n; END;")
	require.NoError(t, err)
	for _, c := range []struct{ batch, told string }{
		{"SELECT 1 / Id FROM dbo.T ORDER BY -Id;", "columns, row, row, error 8134, done 0"},
		{"SELECT 1 / 0; SELECT 1;", "columns, error 8134, done 0, columns, row, done 1"},
		{"RAISERROR('x', 16, 1); SELECT 1;", "error 50000, done 0, columns, row, done 1"},
		{"BEGIN TRY SELECT 1 / 0; END TRY BEGIN CATCH SELECT 1; END CATCH;", "columns, done 0, columns, row, done 1"},
		{"EXEC sys.sp_executesql N'SELECT 1 / 0;'; SELECT 1;", "columns, error 8134, done 0, columns, row, done 1"},
		{"SELECT dbo.Bad(0); SELECT 1;", "columns, error 8134, done 0, columns, row, done 1"},
		{"SELECT dbo.Bad(1);", "columns, row, done 1"},
		{"SET XACT_ABORT ON; SELECT 1 / 0; SELECT 1;", "columns, error 8134, done 0"},
	} {
		require.Equal(t, c.told, tell(srv, s, func(s *mssql.Session) { s.RunBatch(c.batch) }), c.batch)
	}
}

// TestResetBringsTheDatabaseBack: the next user of a pooled connection is in the login's database.
func TestResetBringsTheDatabaseBack(t *testing.T) {
	srv := newSimulated(t, 1)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	for range 2 {
		tell(srv, s, func(s *mssql.Session) { s.RunBatch("USE master;") })
		require.Equal(t, "master", s.DatabaseName())
		require.Equal(t, "columns, row, done 1", tell(srv, s, func(s *mssql.Session) {
			s.ResetConnection(false)
			s.RunBatch("SELECT 1;")
		}))
		require.Equal(t, "test", s.DatabaseName())
	}
	tell(srv, s, func(s *mssql.Session) { s.RunBatch("USE master; DROP DATABASE test;") })
	require.Equal(t, "error 4060", tell(srv, s, func(s *mssql.Session) {
		s.ResetConnection(false)
		s.RunBatch("SELECT 1;")
	}))
}
