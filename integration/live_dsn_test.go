package integration

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamedDSN: a required real server without a DSN, or with a wrong one, is a failure and no reason to skip.
func TestNamedDSN(t *testing.T) {
	const mssql, oracle = "sqlserver://sa:x@127.0.0.1:1433?database=master", "oracle://sys:x@127.0.0.1:1521/FREEPDB1"
	for _, c := range []struct {
		name, dialect string
		env           map[string]string
		want, problem string
	}{
		{"none", "MSSQL", nil, "", ""},
		{"a server", "MSSQL", map[string]string{"DBSCHED_TEST_MSSQL_DSN": mssql}, mssql, ""},
		{"another dialect's", "MSSQL", map[string]string{"DBSCHED_TEST_ORACLE_DSN": oracle, "DBSCHED_REQUIRE_ORACLE": "1"}, "", ""},
		{"required", "ORACLE", map[string]string{"DBSCHED_TEST_ORACLE_DSN": oracle, "DBSCHED_REQUIRE_ORACLE": "1"}, oracle, ""},
		{"required and missing", "ORACLE", map[string]string{"DBSCHED_REQUIRE_ORACLE": "1"}, "", "DBSCHED_TEST_ORACLE_DSN is not"},
		{"required as well", "MSSQL", map[string]string{"DBSCHED_REQUIRE_MSSQL": "true"}, "", "DBSCHED_TEST_MSSQL_DSN is not"},
		{"of the other dialect", "MSSQL", map[string]string{"DBSCHED_TEST_MSSQL_DSN": oracle}, "", "sqlserver://"},
		{"no URL", "MSSQL", map[string]string{"DBSCHED_TEST_MSSQL_DSN": "server=localhost;user id=sa"}, "", "sqlserver://"},
		{"broken", "ORACLE", map[string]string{"DBSCHED_TEST_ORACLE_DSN": "oracle://%zz"}, "", "oracle://"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dsn, err := namedDSN(func(name string) string { return c.env[name] }, c.dialect)
			if c.problem == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.problem)
			}
			require.Equal(t, c.want, dsn)
		})
	}
}

// TestRealServersAnswer: a named server must be reachable.
func TestRealServersAnswer(t *testing.T) {
	for dialect, driver := range sorted(map[string]string{"MSSQL": "sqlserver", "ORACLE": "oracle"}) {
		t.Run(dialect, func(t *testing.T) {
			dsn := realDSN(t, dialect)
			if dsn == "" {
				t.Skip("the scenarios run on the sandbox")
			}
			db, err := sql.Open(driver, dsn)
			require.NoError(t, err)
			defer db.Close()
			require.NoError(t, db.PingContext(t.Context()))
		})
	}
}
