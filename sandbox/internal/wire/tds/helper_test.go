package tds_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	_ "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tds"
)

const password = "p@ss wörd/€" // go-mssqldb miscounts characters beyond the BMP in LOGIN7

// engine answers as a test tells it to.
type engine struct {
	do func(s *session, req tds.Request, w *tds.ResponseWriter)

	stop     func() // ends the server
	mu       sync.Mutex
	logins   []tds.Login
	sessions []*session
}

func (e *engine) Banner() tds.Banner {
	return tds.Banner{Product: "Microsoft SQL Server", ServerName: "SANDBOX", Major: 16, Build: 1000}
}

func (e *engine) Login(_ context.Context, l tds.Login) (tds.Session, error) {
	if l.User != "sa" || l.Password != password {
		return nil, sqlerr.New(18456, "Login failed for user '%s'.", l.User).At(14, 1)
	}
	if l.Database == "broken" {
		return nil, fmt.Errorf("the catalog is gone")
	}
	s := &session{engine: e, login: l, cancelled: make(chan struct{}, 1), closed: make(chan struct{})}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.logins, e.sessions = append(e.logins, l), append(e.sessions, s)
	return s, nil
}

type session struct {
	engine    *engine
	login     tds.Login
	cancelled chan struct{}
	closed    chan struct{}
	requests  []tds.Request
}

func (s *session) Environment() tds.Environment {
	return tds.Environment{Database: "master", Language: "us_english", Collation: tds.CIAS, SPID: 51}
}

func (s *session) Do(req tds.Request, w *tds.ResponseWriter) {
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
func start(t *testing.T, e *engine, options tds.Options) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tds.Serve(ctx, listener, e, options) }()
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

func dsn(address, user, pw string, params ...string) string {
	q := url.Values{}
	for i := 0; i < len(params); i += 2 {
		q.Set(params[i], params[i+1])
	}
	u := url.URL{Scheme: "sqlserver", User: url.UserPassword(user, pw), Host: address, RawQuery: q.Encode()}
	return u.String()
}

// open serves an engine that answers with do, and connects to it.
func open(t *testing.T, do func(*session, tds.Request, *tds.ResponseWriter), params ...string) (*sql.DB, *engine) {
	t.Helper()
	e := &engine{do: do}
	address := start(t, e, tds.Options{Logger: slog.New(slog.DiscardHandler)})
	db, err := sql.Open("sqlserver", dsn(address, "sa", password, params...))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db, e
}

// rows answers every request with one result set.
func rows(columns []tds.Column, rows ...value.Row) func(*session, tds.Request, *tds.ResponseWriter) {
	return func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		send(w, columns, rows...)
		if _, ok := req.(*tds.RPC); ok {
			w.ReturnStatus(0)
		}
	}
}

func send(w *tds.ResponseWriter, columns []tds.Column, rows ...value.Row) {
	must(w.Columns(columns))
	for _, r := range rows {
		must(w.Row(r))
	}
	w.DoneStatement(tds.Done{Rows: int64(len(rows)), HasCount: true})
}

// must panics on errors, except those of canceled requests.
func must(err error) {
	if err != nil && !errors.Is(err, tds.ErrCancelled) {
		panic(err)
	}
}

// text is a type with a length in characters.
func text(id tds.TypeID, n int) tds.Type {
	t := tds.Type{ID: id, Size: n, Collation: tds.CIAS}
	switch id {
	case tds.NChar, tds.NVarChar:
		if n > 0 {
			t.Size = 2 * n
		}
	case tds.Binary, tds.VarBinary:
		t.Collation = tds.Collation{}
	}
	return t
}
