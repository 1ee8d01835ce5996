package mssql_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQueriesAreCounted: every statement counts; statements that work on tables or queues are also counted separately.
func TestQueriesAreCounted(t *testing.T) {
	srv := newSimulated(t, 1)
	s, err := srv.Login("sa", "x", "test")
	require.NoError(t, err)
	_, err = s.Exec("CREATE TABLE dbo.T (Id int NOT NULL PRIMARY KEY, N int NOT NULL); INSERT INTO dbo.T (Id, N) VALUES (1, 1);")
	require.NoError(t, err)
	_, err = s.Exec("CREATE PROCEDURE dbo.P AS BEGIN SET NOCOUNT, XACT_ABORT ON; UPDATE t SET t.N = 2 FROM dbo.T AS t; END;")
	require.NoError(t, err)
	for text, want := range map[string][2]int64{
		"SET NOCOUNT ON;":                                                       {1, 0},
		"DECLARE @I int = 1; SELECT @I = @I + 1;":                               {2, 0},
		"IF @@TRANCOUNT = 0 SET ROWCOUNT 0;":                                    {2, 0},
		"BEGIN TRANSACTION; COMMIT TRANSACTION;":                                {2, 0},
		"WAITFOR DELAY '00:00:01';":                                             {1, 0},
		"SELECT t.N FROM dbo.T AS t;":                                           {1, 1},
		"DECLARE @I int; SELECT @I = t.N FROM dbo.T AS t WHERE t.Id = 1;":       {2, 1},
		"DECLARE @I int = (SELECT MAX(t.N) FROM dbo.T AS t);":                   {1, 1},
		"IF EXISTS (SELECT 1 FROM dbo.T AS t) PRINT 'x';":                       {2, 1},
		"UPDATE t SET t.N = 3 FROM dbo.T AS t; DELETE FROM dbo.T WHERE Id = 9;": {2, 2},
		"EXEC dbo.P;": {3, 1},
		"EXEC sys.sp_executesql N'SELECT t.N FROM dbo.T AS t;';": {2, 1},
		"SELECT 1 FROM sys.objects AS o WHERE o.name = N'T';":    {1, 1},
	} {
		before := srv.Counters()
		r, err := s.Exec(text)
		require.NoError(t, err, text)
		require.Empty(t, r.Errors, text)
		after := srv.Counters()
		require.Equal(t, want, [2]int64{after.Statements - before.Statements, after.Queries - before.Queries}, text)
	}
}
