package tns_test

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

const password = "t1g€r/ wörd"

// engine answers as a test tells it to.
type engine struct {
	do func(s *session, req tns.Request, w *tns.ResponseWriter)

	verifier func() *tns.Verifier // nil: an 11g verifier

	stop     func() // ends the server
	mu       sync.Mutex
	logins   []tns.Login
	sessions []*session
}

func (e *engine) Banner() tns.Banner {
	return tns.Banner{Product: "dbsched sandbox, not a production engine", Release: [5]uint8{19, 22}, DBName: "SANDBOX"}
}

func (e *engine) Serves(service string) bool { return strings.EqualFold(service, "freepdb1") }

func (e *engine) Verifier(user string) *tns.Verifier {
	if !strings.EqualFold(user, "scott") && !strings.EqualFold(user, "locked") {
		return nil
	}
	return e.verifier()
}

func (e *engine) Login(_ context.Context, l tns.Login) (tns.Session, error) {
	if l.User == "locked" {
		return nil, sqlerr.New(28000, "the account is locked")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &session{engine: e, cancelled: make(chan struct{}, 1), closed: make(chan struct{})}
	e.logins, e.sessions = append(e.logins, l), append(e.sessions, s)
	return s, nil
}

type session struct {
	engine    *engine
	cancelled chan struct{}
	closed    chan struct{}
	requests  []tns.Request // without those made while connecting
	alter     string
}

func (s *session) Environment() tns.Environment {
	return tns.Environment{SID: 7, Serial: 11, Language: "AMERICAN", Territory: "AMERICA"}
}

func (s *session) Do(req tns.Request, w *tns.ResponseWriter) {
	switch r := req.(type) {
	case *tns.Execute:
		if strings.HasPrefix(r.Statement.SQL, "ALTER SESSION SET NLS_LANGUAGE") {
			s.alter = r.Statement.SQL
			return
		}
		if r.Statement.SQL == "SELECT SYSTIMESTAMP FROM DUAL" {
			must(w.Query(&tns.ResultSet{
				Columns: []tns.Column{{Name: "SYSTIMESTAMP", Type: tns.Type{ID: tns.TimestampTZ, Scale: 6}}},
				State:   &rows{rows: []value.Row{{value.NewTime(638_000_000_000_000_000, 0)}}},
			}))
			return
		}
	case *tns.Fetch:
		if r, ok := r.Result.State.(*rows); ok {
			r.fetch(req.(*tns.Fetch).Max, w)
			return
		}
	case *tns.CloseResult:
		if r, ok := r.Result.State.(*rows); ok {
			r.closed = true
			return
		}
	}
	s.requests = append(s.requests, req)
	if s.engine.do != nil {
		s.engine.do(s, req, w)
	}
}

func (s *session) Cancel() {
	select {
	case s.cancelled <- struct{}{}:
	default: // nobody received the previous one
	}
}

func (s *session) Close() { close(s.closed) }

// rows is a cursor over rows in memory; fake sessions fetch from it themselves.
type rows struct {
	rows    []value.Row
	fetches int
	closed  bool
}

func (r *rows) fetch(n int, w *tns.ResponseWriter) {
	r.fetches++
	n = min(n, len(r.rows))
	for _, row := range r.rows[:n] {
		must(w.Row(row))
	}
	if r.rows = r.rows[n:]; len(r.rows) == 0 {
		w.EndOfData()
	}
}

// must panics on errors, except those of canceled requests.
func must(err error) {
	if err != nil && !errors.Is(err, tns.ErrCancelled) {
		panic(err)
	}
}

// soon receives what should take no time.
func soon(t *testing.T, what string, c <-chan error) error {
	t.Helper()
	select {
	case err := <-c:
		return err
	case <-time.After(10 * time.Second):
		require.Fail(t, "this does not come: "+what)
		return nil
	}
}

// start serves e for the duration of a test and returns its address.
func start(t *testing.T, e *engine, options tns.Options) string {
	t.Helper()
	if e.verifier == nil {
		v := tns.NewVerifier11g(password)
		e.verifier = func() *tns.Verifier { return v }
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tns.Serve(ctx, listener, e, options) }()
	e.stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, soon(t, "the server ends", done))
		for _, s := range e.sessions {
			<-s.closed
		}
	})
	t.Cleanup(e.stop)
	return listener.Addr().String()
}

func dsn(t *testing.T, address, user, pw string, params ...string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	n, err := net.LookupPort("tcp", port)
	require.NoError(t, err)
	options := map[string]string{}
	for i := 0; i < len(params); i += 2 {
		options[params[i]] = params[i+1]
	}
	return goora.BuildUrl(host, n, "FREEPDB1", user, pw, options)
}

// open serves an engine that answers with do, and connects to it.
func open(t *testing.T, do func(*session, tns.Request, *tns.ResponseWriter), params ...string) (*sql.DB, *engine) {
	t.Helper()
	e := &engine{do: do}
	return connect(t, start(t, e, tns.Options{}), params...), e
}

func connect(t *testing.T, address string, params ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("oracle", dsn(t, address, "scott", password, params...))
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() }) // go-ora reports a connection that the server ended
	return db
}

// query answers every Execute with a result set.
func query(columns []tns.Column, list ...value.Row) func(*session, tns.Request, *tns.ResponseWriter) {
	return func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if _, ok := req.(*tns.Execute); ok {
			must(w.Query(&tns.ResultSet{Columns: columns, State: &rows{rows: list}}))
		}
	}
}

func column(name string, t tns.Type) tns.Column {
	return tns.Column{Name: name, Type: t, Nullable: true}
}

func number(name string) tns.Column { return column(name, tns.Type{ID: tns.Number, Scale: -127}) }

func varchar(name string) tns.Column {
	return column(name, tns.Type{ID: tns.Varchar2, Length: 4000})
}

// oraError checks that err is an Oracle error; it returns its text and position.
func oraError(t *testing.T, err error, code int) (text string, position int) {
	t.Helper()
	var oe *network.OracleError
	require.ErrorAs(t, err, &oe)
	require.Equal(t, code, oe.ErrCode, oe.ErrMsg)
	return oe.ErrMsg, oe.ErrPos()
}
