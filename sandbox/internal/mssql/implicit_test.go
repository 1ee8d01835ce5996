package mssql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/differ"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
)

// TestImplicitTransactionsCount tries both readings of error 266, and the one about XACT_ABORT.
func TestImplicitTransactionsCount(t *testing.T) {
	for _, counted := range []bool{false, true} {
		s, err := newThat(t, 1, differ.Set{differ.ImplicitTransactionsCount: counted}, mssql.Options{Password: "x"}).Login("sa", "x", "test")
		require.NoError(t, err)
		run := func(text string) error {
			_, err := s.Exec(text)
			return err
		}
		require.NoError(t, run("CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY);"))
		require.NoError(t, run("CREATE PROCEDURE dbo.[Off] AS INSERT INTO dbo.T (Id) VALUES (1);"))
		require.NoError(t, run("CREATE PROCEDURE dbo.LeftOn AS BEGIN INSERT INTO dbo.T (Id) VALUES (1); SET XACT_ABORT ON; END;"))
		require.NoError(t, run("SET IMPLICIT_TRANSACTIONS ON;"))
		require.Equal(t, counted, run("EXEC dbo.[Off];") != nil)
		require.NoError(t, run("ROLLBACK;"))
		require.NoError(t, run("EXEC dbo.LeftOn;"))
		require.NoError(t, run("ROLLBACK;"))
		require.NoError(t, run("EXEC sys.sp_executesql N'INSERT INTO dbo.T (Id) VALUES (1);';"))
		require.NoError(t, run("ROLLBACK;"))
	}
}
