// Package integration tests dbsched as it is installed: through the driver, on the embedded sandbox by default and
// unchanged on a real server named by DBSCHED_TEST_MSSQL_DSN.
package integration

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
	"github.com/dbsched/dbsched/templates"
)

// server is a database of its own to test in.
type server struct {
	t   *testing.T
	dsn string
	db  *sql.DB
	box *sandbox.Server // nil on a real server
}

// newServer gives a test a fresh sandbox with a clock that jumps, or a fresh database on the real server.
func newServer(t *testing.T, change ...func(*sandbox.Options)) *server {
	t.Helper()
	o := sandbox.Options{Dialect: "mssql", Clock: "fast", Seed: 1, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}
	for _, fn := range change {
		fn(&o)
	}
	if dsn := os.Getenv("DBSCHED_TEST_MSSQL_DSN"); dsn != "" {
		return realServer(t, dsn, o)
	}
	if os.Getenv("DBSCHED_REQUIRE_MSSQL") == "1" {
		t.Fatal("DBSCHED_REQUIRE_MSSQL=1, but DBSCHED_TEST_MSSQL_DSN is not set")
	}
	ctx, cancel := context.WithCancel(context.Background())
	box, err := sandbox.Start(ctx, o)
	require.NoError(t, err)
	s := &server{t: t, dsn: box.DSN(), box: box}
	s.db = s.open("dbsched-test")
	t.Cleanup(func() {
		_ = s.db.Close()
		cancel()
		require.NoError(t, box.Wait())
	})
	return s
}

// creating is held while a database is created: two at once may both want the model database (error 1807).
var creating sync.Mutex // one server, many tests

// realServer makes a database like the one that the sandbox would have had.
func realServer(t *testing.T, dsn string, o sandbox.Options) *server {
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
	creating.Lock()
	_, err = master.ExecContext(t.Context(), create)
	creating.Unlock()
	require.NoError(t, err)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	q := u.Query()
	q.Set("database", name)
	u.RawQuery = q.Encode()
	s := &server{t: t, dsn: u.String()}
	s.db = s.open("dbsched-test")
	t.Cleanup(func() {
		_ = s.db.Close()
		_, _ = master.ExecContext(context.Background(), "ALTER DATABASE "+quoted+" SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP DATABASE "+quoted)
		_ = master.Close()
	})
	return s
}

// dsnAs is the connection string with an application name.
func (s *server) dsnAs(app string) string {
	s.t.Helper()
	u, err := url.Parse(s.dsn)
	require.NoError(s.t, err)
	q := u.Query()
	q.Set("app name", app)
	u.RawQuery = q.Encode()
	return u.String()
}

// open connects under an application name. The pool keeps no idle connection, so that
// nobody but a running call decides how the clock runs.
func (s *server) open(app string) *sql.DB {
	s.t.Helper()
	db, err := sql.Open("sqlserver", s.dsnAs(app))
	require.NoError(s.t, err)
	db.SetMaxOpenConns(1)
	return db
}

// dsnOf is the connection string of another login.
func (s *server) dsnOf(app, login, password string) string {
	s.t.Helper()
	u, err := url.Parse(s.dsnAs(app))
	require.NoError(s.t, err)
	u.User = url.UserPassword(login, password)
	return u.String()
}

// exec runs a batch.
func (s *server) exec(text string, args ...any) {
	s.t.Helper()
	_, err := s.db.ExecContext(s.t.Context(), text, args...)
	require.NoError(s.t, err, text)
}

// script runs the batches of a file whose lines "go" end a batch.
func (s *server) script(path string) {
	s.t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(s.t, err)
	for _, batch := range strings.Split(string(text), "\ngo\n") {
		if strings.TrimSpace(batch) != "" {
			s.exec(batch)
		}
	}
}

// rows reads a result set as text.
func (s *server) rows(text string, args ...any) [][]string {
	s.t.Helper()
	return readRows(s.t, s.db, text, args...)
}

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func readRows(t *testing.T, q queryer, text string, args ...any) [][]string {
	t.Helper()
	rows, err := q.QueryContext(t.Context(), text, args...)
	require.NoError(t, err, text)
	defer rows.Close()
	cols, err := rows.Columns()
	require.NoError(t, err)
	var out [][]string
	for rows.Next() {
		vals := make([]any, len(cols))
		ptrs := make([]any, len(cols))
		for i := range vals {
			ptrs[i] = &vals[i]
		}
		require.NoError(t, rows.Scan(ptrs...))
		line := make([]string, len(cols))
		for i, v := range vals {
			line[i] = show(v)
		}
		out = append(out, line)
	}
	require.NoError(t, rows.Err(), text)
	return out
}

func show(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case []byte:
		return string(x)
	case time.Time:
		return x.Format("15:04:05.000")
	}
	return fmt.Sprint(v)
}

// value reads one value as text.
func (s *server) value(text string, args ...any) string {
	s.t.Helper()
	rows := s.rows(text, args...)
	require.Len(s.t, rows, 1, text)
	return rows[0][0]
}
