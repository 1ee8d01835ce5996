package sandbox_test

import (
	"database/sql"
	"testing"

	_ "github.com/microsoft/go-mssqldb"
	_ "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// BenchmarkRoundTrip is a query with one bound value, over the engine's own wire.
func BenchmarkRoundTrip(b *testing.B) {
	for _, e := range []struct{ dialect, driver, query string }{
		{"mssql", "sqlserver", "SELECT @p1;"},
		{"oracle", "oracle", "SELECT :1 FROM dual"},
	} {
		b.Run(e.dialect, func(b *testing.B) {
			box, err := sandbox.Start(b.Context(), sandbox.Options{Dialect: e.dialect, Seed: 1})
			require.NoError(b, err)
			defer box.Close()
			db, err := sql.Open(e.driver, box.DSN())
			require.NoError(b, err)
			defer db.Close()
			db.SetMaxOpenConns(1)
			var n int
			for i := range b.N {
				require.NoError(b, db.QueryRowContext(b.Context(), e.query, i).Scan(&n))
			}
		})
	}
}
