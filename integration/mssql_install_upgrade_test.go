package integration

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLUpgradeWhileRunning: while the code changes nobody runs it. Tasks that take too long are listed, and nothing is
// changed; a started scheduler is started again.
func TestMSSQLUpgradeWhileRunning(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		older := func() {
			s.exec("CREATE OR ALTER PROCEDURE dbsched.CloseIfDone @ProcessId int AS BEGIN SET NOCOUNT ON; END;")
			s.exec("UPDATE dbsched.Settings SET Version = 'older';")
		}
		module := "SELECT LEN(OBJECT_DEFINITION(OBJECT_ID(N'dbsched.CloseIfDone')));"
		own := s.value(module)
		long := h.exec(h.sleep(1, 20*time.Second), h.task(2, h.say.nothing))
		h.untilRunning(1, 2*time.Second)
		older()
		was := s.value(module)

		_, err := h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Second})
		require.ErrorAs(h, err, new(*dialects.PreflightError))
		require.ErrorContains(h, err, fmt.Sprintf("task %d, lane ", long[0]))
		require.ErrorContains(h, err, "--drain-timeout")
		require.Equal(h, was, s.value(module), "nothing was changed")
		require.True(h, h.status().Started, "it goes on as before")

		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.Equal(h, own, s.value(module))
		require.True(h, h.status().Started)
		h.drain(10 * time.Second)
		logs := h.logs()
		require.Len(h, logs, 2)
		require.Equal(h, "Succeeded", logs[0].Outcome)
		require.Less(h, logs[1].StartedAt.Sub(*logs[0].FinishedAt), 5*time.Second, "the wave after it starts when the installation is done")

		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		h.pause(time.Minute)
		older()
		_, err = h.sched.Install(h.Context(), dialects.InstallOptions{})
		require.NoError(h, err)
		require.Equal(h, own, s.value(module))
		require.False(h, h.status().Started, "what was stopped stays stopped")
		h.requireNoAlarms()
	})
}

// TestMSSQLCancelledUpgrade: an upgrade cancelled while a migration waits for somebody's transaction leaves no migration whose outcome is
// unknown. Stopping waits for no such transaction.
func TestMSSQLCancelledUpgrade(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		open := h.session()
		open.begin()
		open.exec(h.say.enqueue(1, 1, h.say.nothing))
		ctx, cancel := context.WithTimeout(h.Context(), 5*time.Second)
		defer cancel()
		next := h.next()
		done := make(chan error)
		go func() {
			_, err := next.Install(ctx, dialects.InstallOptions{DrainTimeout: time.Minute})
			done <- err
		}()
		h.pause(10 * time.Second)
		open.commit()
		err := <-done
		require.ErrorIs(h, err, context.DeadlineExceeded)
		require.Equal(h, "2 0", h.session().value("SELECT CONCAT(v.version, ' ', v.dirty) FROM dbsched.SchemaVersion AS v;"))

		_, err = next.Install(h.Context(), dialects.InstallOptions{DrainTimeout: time.Minute})
		require.NoError(h, err)
		require.NoError(h, next.Start(h.Context()))
		h.drain(time.Minute)
		h.requireNoAlarms()
	})
}
