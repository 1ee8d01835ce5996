package mssql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/mssql"
)

// TestImplicitCounted: both answers about error 266 can be tried, and the one about XACT_ABORT.
func TestImplicitCounted(t *testing.T) {
	for _, counted := range []bool{false, true} {
		s, err := newSimulated(t, 1, func(o *mssql.Options) { o.ImplicitCounted = counted }).Login("sa", "x", "test")
		require.NoError(t, err)
		errors := func(text string) int {
			r, err := s.Exec(text)
			require.NoError(t, err, text)
			return len(r.Errors)
		}
		require.Zero(t, errors("CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY);"))
		require.Zero(t, errors("CREATE PROCEDURE dbo.Off AS INSERT INTO dbo.T (Id) VALUES (1);"))
		require.Zero(t, errors("CREATE PROCEDURE dbo.LeftOn AS BEGIN INSERT INTO dbo.T (Id) VALUES (1); SET XACT_ABORT ON; END;"))
		require.Zero(t, errors("SET IMPLICIT_TRANSACTIONS ON;"))
		require.Equal(t, counted, errors("EXEC dbo.Off;") == 1)
		require.Zero(t, errors("ROLLBACK;"))
		require.Zero(t, errors("EXEC dbo.LeftOn;"))
		require.Zero(t, errors("ROLLBACK;"))
		require.Zero(t, errors("EXEC sys.sp_executesql N'INSERT INTO dbo.T (Id) VALUES (1);';"))
		require.Zero(t, errors("ROLLBACK;"))
	}
}
