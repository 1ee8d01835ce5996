package sandbox_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/internal/sandboxtest"
	"github.com/dbsched/dbsched/sandbox"
)

// TestMSSQLEndedSession: a client whose session ends during a request is told so, and no longer has a connection.
func TestMSSQLEndedSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := sandboxtest.Start(t, sandbox.Options{Dialect: "mssql", Seed: 1})
		one, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
		require.NoError(t, err)
		defer one.Close()
		two, err := sandboxtest.Open("mssql", box.DSN(), box.Dial)
		require.NoError(t, err)
		defer two.Close()
		conn, err := one.Conn(t.Context())
		require.NoError(t, err)
		defer conn.Close()
		var session int
		require.NoError(t, conn.QueryRowContext(t.Context(), "SELECT @@SPID;").Scan(&session))
		failed := make(chan error, 1)
		go func() {
			_, err := conn.ExecContext(context.Background(), "WAITFOR DELAY '01:00:00';")
			failed <- err
		}()
		time.Sleep(time.Second) // the bubble's time: until it waits
		_, err = two.ExecContext(t.Context(), fmt.Sprintf("KILL %d;", session))
		require.NoError(t, err)
		require.ErrorContains(t, <-failed, "Cannot continue the execution because the session is in the kill state.")
		require.Error(t, conn.PingContext(t.Context()))
	})
}
