package tds_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	mssql "github.com/microsoft/go-mssqldb"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire/tds"
)

func TestPing(t *testing.T) {
	for _, encrypt := range []string{"disable", "false", "true"} {
		t.Run(encrypt, func(t *testing.T) {
			db, e := open(t, rows([]tds.Column{{Name: "n", Type: tds.Int}}, value.Row{value.NewInt(42)}),
				"encrypt", encrypt, "TrustServerCertificate", "true", "app name", "tds test", "database", "sales")
			require.NoError(t, db.Ping())
			var n int
			require.NoError(t, db.QueryRow("SELECT 42 AS n").Scan(&n))
			require.Equal(t, 42, n)
			l := e.logins[0]
			require.Equal(t, "sa", l.User)
			require.Equal(t, password, l.Password)
			require.Equal(t, "tds test", l.AppName)
			require.Equal(t, "sales", l.Database)
			require.Equal(t, "go-mssqldb", l.ClientName)
			require.Equal(t, uint32(0x74000004), l.TDSVersion)
			require.Equal(t, encrypt == "true", l.Encrypted)
			require.Equal(t, 4096, l.PacketSize)
			require.NotZero(t, l.Connection)
		})
	}
}

func TestPacketSizes(t *testing.T) {
	long := strings.Repeat("abcdefghij", 10000)
	for _, encrypt := range []string{"disable", "false", "true"} {
		for _, size := range []string{"512", "8000", "32767"} {
			t.Run(encrypt+" "+size, func(t *testing.T) {
				db, e := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
					if r, ok := req.(*tds.RPC); ok {
						send(w, []tds.Column{{Type: text(tds.NVarChar, tds.Max)}}, value.Row{r.Params[2].Value})
					}
				}, "encrypt", encrypt, "TrustServerCertificate", "true", "packet size", size)
				var got string
				require.NoError(t, db.QueryRow("SELECT @p1", long).Scan(&got))
				require.Equal(t, long, got)
				if encrypt == "true" {
					require.LessOrEqual(t, e.logins[0].PacketSize, 16383)
				}
			})
		}
	}
}

func TestLoginFailure(t *testing.T) {
	var log logBuffer
	address := start(t, &engine{}, tds.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, encrypt := range []string{"disable", "false", "true"} {
		db, err := sql.Open("sqlserver", dsn(address, "joe", "hunter2secret", "encrypt", encrypt, "TrustServerCertificate", "true"))
		require.NoError(t, err)
		err = db.Ping()
		var e mssql.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, int32(18456), e.Number)
		require.Equal(t, uint8(14), e.Class)
		require.Contains(t, e.Message, "Login failed for user 'joe'.")
		require.Equal(t, "SANDBOX", e.ServerName)
		require.NoError(t, db.Close())
	}
	db, err := sql.Open("sqlserver", dsn(address, "sa", password, "database", "broken"))
	require.NoError(t, err)
	var e mssql.Error
	require.ErrorAs(t, db.Ping(), &e)
	require.Equal(t, int32(18456), e.Number)
	require.NoError(t, db.Close())
	require.Contains(t, log.String(), "login refused")
	require.Contains(t, log.String(), "the catalog is gone")
	require.NotContains(t, log.String(), "hunter2secret")
	require.NotContains(t, log.String(), "p@ss")
}

// logBuffer is a log that connections write to while a test reads it.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestStrictIsRefused(t *testing.T) {
	db, _ := open(t, nil, "encrypt", "strict")
	require.ErrorContains(t, db.Ping(), "protocol version not supported")
}

func TestManyConnections(t *testing.T) {
	db, e := open(t, func(_ *session, req tds.Request, w *tds.ResponseWriter) {
		if r, ok := req.(*tds.RPC); ok {
			send(w, []tds.Column{{Type: tds.BigInt}}, value.Row{r.Params[2].Value})
		}
	})
	var all errgroup.Group
	for i := range 20 {
		all.Go(func() error {
			conn, err := db.Conn(context.Background())
			if err != nil {
				return err
			}
			defer conn.Close()
			for j := range 20 {
				var n int
				if err := conn.QueryRowContext(context.Background(), "SELECT @p1", i*100+j).Scan(&n); err != nil {
					return err
				}
				if n != i*100+j {
					return errors.New("answer to another question")
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	require.LessOrEqual(t, len(e.logins), 20)
}

// TestServerStops: a client whose request is cut short by the server's end is not told that it was done.
func TestServerStops(t *testing.T) {
	begun, failed := make(chan error), make(chan error, 1)
	db, e := open(t, func(_ *session, _ tds.Request, w *tds.ResponseWriter) {
		close(begun)
		<-w.Context().Done()
	})
	go func() {
		_, err := db.ExecContext(t.Context(), "WAITFOR DELAY '01:00'")
		failed <- err
	}()
	require.NoError(t, soon(t, "the request", begun))
	e.stop()
	require.Error(t, soon(t, "the end of the request", failed))
}

func TestDisconnect(t *testing.T) {
	db, e := open(t, nil)
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	require.NoError(t, conn.PingContext(context.Background()))
	e.logins[0].Disconnect()
	<-e.sessions[0].closed
	require.Error(t, conn.PingContext(context.Background()))
	_ = conn.Close()
}

func TestLoginPrintsNoPassword(t *testing.T) {
	l := tds.Login{User: "sa", Password: "hunter2secret"}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("login", "l", l)
	for _, s := range []string{l.String(), log.String()} {
		require.NotContains(t, s, "hunter2secret")
		require.Contains(t, s, "sa")
	}
}
