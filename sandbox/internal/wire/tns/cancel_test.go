package tns_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tns"
)

func skipWithRaceDetector(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("go-ora has a data race when it cancels")
	}
}

// A context that ends cancels the call, and the session stays usable.
func TestCancel(t *testing.T) {
	skipWithRaceDetector(t)
	waiting := make(chan struct{}, 1)
	db, e := open(t, func(s *session, req tns.Request, w *tns.ResponseWriter) {
		x, ok := req.(*tns.Execute)
		if !ok || !strings.Contains(x.Statement.SQL, "sleep") {
			return
		}
		waiting <- struct{}{}
		<-s.cancelled
		if w.Context().Err() == nil || !errors.Is(w.Err(), tns.ErrCancelled) {
			panic("cancelled without the context")
		}
	}, "TIMEOUT", "30")
	db.SetMaxOpenConns(1)
	for _, text := range []string{"begin sleep; end;", "update t set sleep = 1"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-waiting
			cancel()
		}()
		_, err := db.ExecContext(ctx, text)
		oraError(t, err, 1013)
		_, err = db.ExecContext(t.Context(), "begin null; end;")
		require.NoError(t, err)
	}
	require.Len(t, e.sessions, 1)
}

// A break after rows have already been sent.
func TestCancelQuery(t *testing.T) {
	skipWithRaceDetector(t)
	waiting := make(chan struct{}, 1)
	db, e := open(t, func(s *session, req tns.Request, w *tns.ResponseWriter) {
		switch req.(type) {
		case *tns.Execute:
			must(w.Query(&tns.ResultSet{Columns: []tns.Column{varchar("V")}}))
		case *tns.Fetch:
			for range 20 {
				must(w.Row(value.Row{value.NewString(strings.Repeat("x", 1000))}))
			}
			waiting <- struct{}{}
			<-s.cancelled
		}
	}, "TIMEOUT", "30")
	db.SetMaxOpenConns(1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-waiting
		cancel()
	}()
	oraError(t, queryError(ctx, db), 1013)
	require.NoError(t, db.PingContext(t.Context()))
	require.Len(t, e.sessions, 1)
}

// A deadline that ends while nothing runs in the engine.
func TestCancelRace(t *testing.T) {
	skipWithRaceDetector(t)
	db, _ := open(t, nil, "TIMEOUT", "30")
	db.SetMaxOpenConns(1)
	require.NoError(t, db.Ping())
	for i := range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*2*time.Microsecond)
		_, _ = db.ExecContext(ctx, "begin null; end;") // ORA-01013 or not; a late break hits the next call
		cancel()
	}
	for range 3 {
		if _, err := db.ExecContext(t.Context(), "begin null; end;"); err == nil {
			return
		}
	}
	t.Fatal("the connection is stuck")
}

// A client that goes away ends what runs for it.
func TestClientGone(t *testing.T) {
	e := &engine{}
	gone := make(chan struct{})
	e.do = func(_ *session, req tns.Request, w *tns.ResponseWriter) {
		if _, ok := req.(*tns.Execute); ok {
			w.Hangup()
			<-w.Context().Done()
			close(gone)
		}
	}
	address := start(t, e, tns.Options{})
	db := connect(t, address)
	_, err := db.ExecContext(t.Context(), "begin null; end;")
	require.Error(t, err)
	<-gone
}
