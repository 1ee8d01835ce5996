package tns_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

func TestPing(t *testing.T) {
	db, e := open(t, nil, "TIMEOUT", "10")
	require.NoError(t, db.PingContext(t.Context()))
	require.Len(t, e.sessions, 1)
	l := e.logins[0]
	require.Equal(t, "scott", l.User)
	require.Equal(t, "FREEPDB1", l.Service)
	require.NotEmpty(t, l.Machine)
	require.Contains(t, l.ConnectionData, "(SERVICE_NAME=FREEPDB1)")
	require.IsType(t, &tns.Ping{}, e.sessions[0].requests[0])
	require.Contains(t, e.sessions[0].alter, "TIME_ZONE")
	require.NotContains(t, e.sessions[0].alter, "\x00")
}

// Either verifier and either way of sending the connect descriptor.
func TestVerifiers(t *testing.T) {
	for _, verifier := range []func(string) *tns.Verifier{tns.NewVerifier, tns.NewVerifier11g} {
		for _, program := range []string{"p", strings.Repeat("/long", 60)} {
			v := verifier(password)
			e := &engine{verifier: func() *tns.Verifier { return v }}
			address := start(t, e, tns.Options{})
			db, err := sql.Open("oracle", dsn(t, address, "scott", password, "TIMEOUT", "10", "PROGRAM", program))
			require.NoError(t, err)
			require.NoError(t, db.Ping())
			require.NoError(t, db.Close())
		}
	}
}

func TestLoginRefused(t *testing.T) {
	v := tns.NewVerifier(password)
	for _, c := range []struct {
		user, password, service string
		verifier                *tns.Verifier
		code                    int
	}{
		{"scott", "wrong", "FREEPDB1", nil, 1017},
		{"scott", "wrong", "FREEPDB1", v, 1017},
		{"scott", strings.ToUpper(password), "FREEPDB1", v, 1017},
		{"nobody", password, "FREEPDB1", nil, 1017},
		{"locked", password, "FREEPDB1", nil, 28000},
		{"scott", password, "OTHER", nil, 12514},
	} {
		t.Run(fmt.Sprint(c.user, c.service, c.code), func(t *testing.T) {
			e := &engine{}
			if c.verifier != nil {
				e.verifier = func() *tns.Verifier { return c.verifier }
			}
			address := start(t, e, tns.Options{})
			url := strings.Replace(dsn(t, address, c.user, c.password, "TIMEOUT", "10"), "FREEPDB1", c.service, 1)
			db, err := sql.Open("oracle", url)
			require.NoError(t, err)
			defer db.Close()
			oraError(t, db.Ping(), c.code)
			require.Empty(t, e.sessions)
		})
	}
}

func TestVerifierIsNotShown(t *testing.T) {
	v := tns.NewVerifier11g(password)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "tns.Verifier", fmt.Sprintf(format, v))
	}
}

func TestLoginTimeout(t *testing.T) {
	e := &engine{}
	address := start(t, e, tns.Options{LoginTimeout: 50 * time.Millisecond})
	nc := dial(t, address)
	_, err := nc.Read(make([]byte, 1))
	require.Error(t, err)
}

func TestParallel(t *testing.T) {
	db, e := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if x, ok := req.(*tns.Execute); ok {
			var list []value.Row
			for i := range 100 {
				list = append(list, value.Row{x.Iterations[0][0], value.NewInt(int64(i))})
			}
			must(w.Query(&tns.ResultSet{Columns: []tns.Column{number("A"), number("B")}, State: &rows{rows: list}}))
		}
	})
	const n = 20
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	var conns []*sql.Conn
	for range n {
		c, err := db.Conn(t.Context())
		require.NoError(t, err)
		conns = append(conns, c)
	}
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i, c := range conns {
		wg.Go(func() {
			for range 5 {
				if errs[i] = sum(t.Context(), c, i); errs[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	for i, c := range conns {
		require.NoError(t, errs[i])
		require.NoError(t, c.Close())
	}
	require.Len(t, e.sessions, n)
}

func sum(ctx context.Context, c *sql.Conn, i int) error {
	rows, err := c.QueryContext(ctx, "select :1, b from t", i)
	if err != nil {
		return err
	}
	defer rows.Close()
	total := 0
	for rows.Next() {
		var a, b int
		if err := rows.Scan(&a, &b); err != nil {
			return err
		}
		total += a*1000 + b
	}
	if want := i*1000*100 + 4950; total != want {
		return fmt.Errorf("%d instead of %d", total, want)
	}
	return rows.Err()
}

func TestKilledSession(t *testing.T) {
	db, e := open(t, func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if _, ok := req.(*tns.Execute); ok {
			w.Error(sqlerr.New(28, "your session has been killed").Ending(sqlerr.Connection))
		}
	})
	_, err := db.ExecContext(t.Context(), "begin null; end;")
	oraError(t, err, 28)
	<-e.sessions[0].closed
}

// TestServerStops: a client whose request is cut short by the server's end is not told that it was done.
func TestServerStops(t *testing.T) {
	begun, failed := make(chan error), make(chan error, 1)
	db, e := open(t, func(_ *session, _ tns.Request, w *tns.ResponseWriter) {
		close(begun)
		<-w.Context().Done()
	})
	go func() {
		_, err := db.ExecContext(t.Context(), "begin dbms_session.sleep(3600); end;")
		failed <- err
	}()
	require.NoError(t, soon(t, "the request", begun))
	e.stop()
	require.Error(t, soon(t, "the end of the request", failed))
}

func TestPanicEndsOneConnection(t *testing.T) {
	db, _ := open(t, func(_ *session, req tns.Request, _ *tns.ResponseWriter) {
		if x, ok := req.(*tns.Execute); ok && strings.Contains(x.Statement.SQL, "bad") {
			panic("a defect")
		}
	})
	_, err := db.ExecContext(t.Context(), "begin bad; end;")
	oraError(t, err, 600)
	db.SetMaxIdleConns(0) // the pool drops the broken connection
	_, err = db.ExecContext(t.Context(), "begin good; end;")
	require.NoError(t, err)
}

// A message that is too large ends its connection, and is never held in memory as a whole.
func TestMaxMessage(t *testing.T) {
	e := &engine{}
	db := connect(t, start(t, e, tns.Options{MaxMessage: 100_000}))
	_, err := db.ExecContext(t.Context(), "begin null; end;", strings.Repeat("x", 30_000))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "begin null; end;", strings.Repeat("x", 200_000))
	require.Error(t, err)
	<-e.sessions[0].closed
}
