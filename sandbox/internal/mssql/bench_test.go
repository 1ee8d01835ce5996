package mssql_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/mssql"
)

// BenchmarkStatements runs simple statements in a loop inside one batch: assignment, test, insert, seek.
func BenchmarkStatements(b *testing.B) {
	for _, c := range []struct {
		name, body string
		statements int
	}{
		{"assign", "SET @i += 1;", 2},
		{"insert", "INSERT INTO dbo.T (N) VALUES (@i); SET @i += 1;", 3},
		{"seek", "SELECT @n = N FROM dbo.T WHERE Id = 1; SET @i += 1;", 3},
		{"update", "UPDATE dbo.T SET N = N + 1 WHERE Id = 1; SET @i += 1;", 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			k := kernel.New(kernel.Options{Clock: kernel.Simulated})
			defer k.Close()
			srv, err := mssql.New(k, mssql.Options{Password: "x"})
			require.NoError(b, err)
			s, err := srv.Login("sa", "x", "test")
			require.NoError(b, err)
			_, err = s.Exec("CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, N int NOT NULL); INSERT INTO dbo.T (N) VALUES (0);")
			require.NoError(b, err)
			_, err = s.Exec("CREATE PROCEDURE dbo.P @max int AS BEGIN SET NOCOUNT ON; DECLARE @i int = 0, @n int; WHILE @i < @max BEGIN " + c.body + " END END")
			require.NoError(b, err)
			b.ResetTimer()
			for range b.N {
				_, err = s.Exec("EXEC dbo.P 1000")
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.N*1000*c.statements)/b.Elapsed().Seconds(), "statements/s")
		})
	}
}
