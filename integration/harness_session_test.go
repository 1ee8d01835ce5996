package integration

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"testing"

	mssqldb "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"
)

// session opens another client of the server.
func (h *harness) session() *session {
	h.Helper()
	db := h.server.open("dbsched-test")
	return &session{h: h, conn: h.connect(db)}
}

// admin opens a session that may end other sessions.
func (h *harness) admin() *session {
	h.Helper()
	return h.sessionOn(h.server.admin)
}

// sessionAs opens a client that logs in as a given user.
func (h *harness) sessionAs(login, password string) *session {
	h.Helper()
	return h.sessionOn(h.server.dsnOf("dbsched-test", login, password))
}

func (h *harness) sessionOn(dsn string) *session {
	h.Helper()
	db := h.server.connect(withProgram(h, dsn, h.server.program, "dbsched-test"))
	return &session{h: h, conn: h.connect(db)}
}

// session is a client that sometimes has a transaction.
type session struct {
	h    *harness
	conn *sql.Conn
	tx   *sql.Tx
}

func (s *session) begin(level ...sql.IsolationLevel) {
	s.h.Helper()
	var o *sql.TxOptions
	isolate := ""
	if len(level) > 0 {
		if isolate = s.h.say.isolate[level[0]]; isolate == "" {
			o = &sql.TxOptions{Isolation: level[0]}
		}
	}
	var err error
	s.tx, err = s.conn.BeginTx(context.WithoutCancel(s.h.Context()), o) // otherwise all still open at the end would roll back at once, in any order
	require.NoError(s.h, err)
	s.h.Cleanup(s.end)
	if isolate != "" {
		s.exec(isolate)
	}
}

// end rolls back what is still open.
func (s *session) end() {
	if s.tx != nil {
		_ = s.tx.Rollback()
	}
}

func (s *session) commit() {
	s.h.Helper()
	require.NoError(s.h, s.tx.Commit())
	s.tx = nil
}

func (s *session) rollback() {
	s.h.Helper()
	require.NoError(s.h, s.tx.Rollback())
	s.tx = nil
}

// conn is a connection or a transaction.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// on returns the transaction, if there is one.
func (s *session) on() conn {
	if s.tx != nil {
		return s.tx
	}
	return s.conn
}

// try runs a statement.
func (s *session) try(text string) error {
	s.h.Helper()
	_, err := s.on().ExecContext(s.h.Context(), text)
	requirePromised(s.h.T, err)
	return err
}

var (
	mssqlText  = regexp.MustCompile(`^dbsched (51\d{3}): `)
	oracleText = regexp.MustCompile(`ORA-(\d{5}): dbsched (\d{5}): `)
)

// requirePromised asserts what docs/errors.md says of each of dbsched's errors: how the number arrives that its text has.
func requirePromised(t *testing.T, err error) {
	t.Helper()
	var e mssqldb.Error
	if errors.As(err, &e) {
		if m := mssqlText.FindStringSubmatch(e.Message); m != nil {
			require.Empty(t, broken(e, m[1]))
		}
	} else if err != nil {
		if m := oracleText.FindStringSubmatch(err.Error()); m != nil {
			require.Equal(t, m[1], m[2], err)
		}
	}
}

func (s *session) exec(text string) {
	s.h.Helper()
	require.NoError(s.h, s.try(text), text)
}

func (s *session) rows(text string, args ...any) [][]string {
	s.h.Helper()
	return readRows(s.h.T, s.on(), text, args...)
}

// ask runs a statement that returns one value.
func (s *session) ask(text string) string {
	s.h.Helper()
	answer, err := s.h.say.ask(s.h.Context(), s.on(), text)
	require.NoError(s.h, err, text)
	return answer
}

// value reads one value as text.
func (s *session) value(text string) string {
	s.h.Helper()
	rows := s.rows(text)
	require.Len(s.h, rows, 1, text)
	return rows[0][0]
}

func (s *session) enqueue(order int, task string) {
	s.h.Helper()
	s.exec(s.h.say.enqueue(0, order, task))
}
