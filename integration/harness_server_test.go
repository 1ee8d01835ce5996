// Package integration tests dbsched as it is installed: through the driver, on the embedded sandbox by default and
// unchanged on real servers named by DBSCHED_TEST_MSSQL_DSN and DBSCHED_TEST_ORACLE_DSN.
package integration

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// server is a test's own database.
type server struct {
	t      *testing.T
	dsn    string // of the user who tests
	admin  string // of a user who may do everything
	schema string // where dbsched is to be installed
	db     *sql.DB
	box    *sandbox.Server // nil on a real server

	dialect string
	program string // the option of a DSN that names the program
	batch   string // line that ends a batch of a script
	// beside prepares another schema and returns the DSN to use it with, and its name.
	beside func(schema string) (dsn, name string)
}

// furtherSeeds is what DBSCHED_TEST_SEED adds to every sandbox's seed.
func furtherSeeds(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("DBSCHED_TEST_SEED")
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 32)
	require.NoError(t, err, "DBSCHED_TEST_SEED")
	return n
}

// asItIs skips a scenario that runs under several seeds: a real server makes its own choices, and runs it once.
func asItIs(t *testing.T, o sandbox.Options) {
	t.Helper()
	if o.Seed != 1 {
		t.Skip("a real server makes its choices itself")
	}
}

// realDSN returns the DSN of a real server in an environment variable, if there is one.
func realDSN(t *testing.T, dialect string) string {
	t.Helper()
	dsn, err := namedDSN(os.Getenv, strings.ToUpper(dialect))
	require.NoError(t, err)
	return dsn
}

// namedDSN reads the variables of a dialect. If one is missing but required, or names no server of that kind, that is an
// error: a test that falls back to the sandbox would pass.
func namedDSN(getenv func(string) string, dialect string) (string, error) {
	name := "DBSCHED_TEST_" + dialect + "_DSN"
	dsn, required := getenv(name), "DBSCHED_REQUIRE_"+dialect
	if dsn == "" {
		if getenv(required) != "" {
			return "", fmt.Errorf("%s is set, but %s is not", required, name)
		}
		return "", nil
	}
	scheme := map[string]string{"MSSQL": "sqlserver", "ORACLE": "oracle"}[dialect]
	if u, err := url.Parse(dsn); err != nil || u.Scheme != scheme || u.Host == "" {
		return "", fmt.Errorf("%s is no URL like %s://user:password@host", name, scheme)
	}
	return dsn, nil
}

// dsnAs returns the connection string with a program's name.
func (s *server) dsnAs(program string) string {
	s.t.Helper()
	return withProgram(s.t, s.dsn, s.program, program)
}

func withProgram(t require.TestingT, dsn, option, program string) string {
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	q := u.Query()
	q.Set(option, program)
	u.RawQuery = q.Encode()
	return u.String()
}

// open connects under a program's name.
func (s *server) open(program string) *sql.DB {
	s.t.Helper()
	return s.connect(s.dsnAs(program))
}

// connect connects, until the end of the test.
func (s *server) connect(dsn string) *sql.DB {
	s.t.Helper()
	db, err := sandboxtest.Open(s.dialect, dsn, s.dial())
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = db.Close() })
	return db
}

// dial connects to the sandbox; nil: to a real server over the network.
func (s *server) dial() dialects.DialFunc {
	if s.box == nil {
		return nil
	}
	if s.dialect == "mssql" {
		return hearing(s.t, s.box.Dial)
	}
	return s.box.Dial
}

// dsnOf returns the connection string of another login.
func (s *server) dsnOf(program, login, password string) string {
	s.t.Helper()
	u, err := url.Parse(s.dsnAs(program))
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

// batches reads the batches of a file.
func (s *server) batches(path string) []string {
	s.t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(s.t, err)
	return slices.DeleteFunc(strings.Split(string(text), "\n"+s.batch+"\n"), func(batch string) bool { return strings.TrimSpace(batch) == "" })
}

// script runs the batches of a file.
func (s *server) script(path string) {
	s.t.Helper()
	for _, batch := range s.batches(path) {
		s.exec(batch)
	}
}

// rows reads a result set as text.
func (s *server) rows(text string, args ...any) [][]string {
	s.t.Helper()
	return readRows(s.t, s.db, text, args...)
}

func readRows(t *testing.T, q conn, text string, args ...any) [][]string {
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
