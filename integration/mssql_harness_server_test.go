package integration

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	_ "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// newMSSQL gives a test the sandbox, or a fresh database on the real server. Anyone who may use the database may use every schema in it.
func newMSSQL(t *testing.T, box *sandbox.Server, schema string, o sandbox.Options) *server {
	t.Helper()
	var s *server
	if box == nil {
		asItIs(t, o)
		s = realMSSQL(t, realDSN(t, "mssql"), o)
	} else {
		s = serverOfMSSQL(t, box.DSN())
		s.box = box
		s.db = s.open("dbsched-test")
	}
	s.schema = schema
	s.beside = func(name string) (string, string) { return s.dsn, name }
	return s
}

// onServer runs, on SQL Server, a scenario that does not need dbsched.
func onServer(t *testing.T, scenario func(s *server)) {
	t.Helper()
	mssqlEngine().run(t, setup{bare: true}, func(h *harness) { scenario(h.server) })
}

// lockedLate gives every scenario optimized locking if DBSCHED_OPTIMIZED_LOCKING asks for it: "locking", or "versioning" for
// READ_COMMITTED_SNAPSHOT as well, with which statements lock after qualification.
func lockedLate(o *sandbox.Options) {
	if how := os.Getenv("DBSCHED_OPTIMIZED_LOCKING"); how != "" {
		o.OptimizedLocking, o.ReadCommittedSnapshot = true, how == "versioning"
	}
}

func serverOfMSSQL(t *testing.T, dsn string) *server {
	t.Helper()
	return &server{t: t, dsn: dsn, admin: dsn, dialect: "mssql", program: "app name", batch: "go"}
}

// creating is held while a database is created: two at once may both want the model database (error 1807).
var creating sync.Mutex // one server, many tests

// realMSSQL creates a database like the one that the sandbox would have had.
func realMSSQL(t *testing.T, dsn string, o sandbox.Options) *server {
	t.Helper()
	master, err := sql.Open("sqlserver", dsn)
	require.NoError(t, err)
	name := fmt.Sprintf("dbsched_test_%d%s", time.Now().UnixNano(), o.Database)
	quoted := templates.QuoteIdent(name)
	create := "CREATE DATABASE " + quoted
	if o.Collation != "" {
		create += " COLLATE " + o.Collation
	}
	if o.ReadCommittedSnapshot {
		create += "; ALTER DATABASE " + quoted + " SET READ_COMMITTED_SNAPSHOT ON"
	}
	if o.OptimizedLocking {
		requireOptimizedLocking(t, master)
		create += "; ALTER DATABASE " + quoted + " SET ACCELERATED_DATABASE_RECOVERY = ON; ALTER DATABASE " + quoted + " SET OPTIMIZED_LOCKING = ON"
	}
	creating.Lock()
	_, err = master.ExecContext(t.Context(), create)
	creating.Unlock()
	require.NoError(t, err)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	q := u.Query()
	q.Set("database", name)
	u.RawQuery = q.Encode()
	s := serverOfMSSQL(t, u.String())
	s.db = s.open("dbsched-test")
	t.Cleanup(func() {
		_ = s.db.Close()
		_, _ = master.ExecContext(context.Background(), "ALTER DATABASE "+quoted+" SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP DATABASE "+quoted)
		_ = master.Close()
	})
	return s
}

// requireOptimizedLocking skips a test on a server without it.
func requireOptimizedLocking(t *testing.T, master *sql.DB) {
	t.Helper()
	var major int
	require.NoError(t, master.QueryRowContext(t.Context(), "SELECT CONVERT(int, SERVERPROPERTY('ProductMajorVersion'));").Scan(&major))
	if major < 17 {
		t.Skipf("version %d has no optimized locking", major)
	}
}
