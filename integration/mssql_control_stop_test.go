package integration

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLStopWaitsForClaims: a worker that is already claiming when Stop is called, and waits for the process, may still start the
// task. Then Stop has not returned yet.
func TestMSSQLStopWaitsForClaims(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		first, second := h.process(dialects.NewProcess{Name: "first"}), h.process(dialects.NewProcess{Name: "second"})
		ids := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(5 * time.Second), Order: 1, ProcessID: first},
			dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: second})
		h.untilRunning(1, h.soon)
		// As CancelProcess does, for as long as it takes.
		holder := h.session()
		holder.begin()
		holder.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = %d;", second))
		h.untilWaiting(1, "the worker claims the second one")
		require.Equal(h, "Succeeded", h.statusOf(ids[0]), "recorded before the wait: two workers that hold a process each could wait for each other")
		observer, stopped := h.session(), make(chan error, 1)
		started := 0
		go func() {
			err := h.sched.Stop(h.Context(), dialects.StopDrain)
			stopped <- errors.Join(err, observer.conn.QueryRowContext(h.Context(), "SELECT COUNT(*) FROM dbsched.LogInfo;").Scan(&started))
		}()
		h.pause(200 * time.Millisecond) // less than the second that a claim waits
		holder.commit()
		require.NoError(h, <-stopped)
		require.Equal(h, 2, started, "of the first process and of the second")
		h.pause(time.Minute)
		require.Len(h, h.logs(), 2)
		require.Zero(h, h.status().Workers)
	})
}

// TestMSSQLStopBesideALongHalt: a session that halts a process of many tasks holds its row for long. The worker that waits for that row waits in
// slices, so that a stop, and anyone else who needs the settings, gets through between two of them.
func TestMSSQLStopBesideALongHalt(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		first, halted := h.process(dialects.NewProcess{Name: "first"}), h.process(dialects.NewProcess{Name: "halted"})
		h.exec(dialects.NewTask{SQL: h.dialect.Sleep(5 * time.Second), Order: 1, ProcessID: first})
		waiting := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: halted})[0]
		h.untilRunning(1, h.soon)
		holder := h.session()
		holder.begin()
		holder.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = %d;", halted))
		h.untilWaiting(1, "the worker claims the second one")
		h.pause(time.Minute) // more tries than a worker has
		before := h.now()
		require.NoError(h, h.sched.SetWorkers(h.Context(), 1))
		require.Less(h, h.now().Sub(before), 3*time.Second)
		before = h.now()
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		require.Less(h, h.now().Sub(before), 3*time.Second)

		require.NoError(h, h.sched.Start(h.Context()))
		h.pause(time.Minute)
		holder.commit()
		h.waitFor(halted, 10*time.Second)
		require.Equal(h, "Succeeded", h.statusOf(waiting))
		h.requireNoAlarms()
	})
}

// TestMSSQLStopNowBesideAHalt: a stop that has to wait before it can mark running tasks still ends them.
func TestMSSQLStopNowBesideAHalt(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.mayKill()
		p := h.process(dialects.NewProcess{Name: "p"})
		id := h.exec(dialects.NewTask{SQL: h.dialect.Sleep(time.Hour), Order: 1, ProcessID: p})[0]
		h.untilRunning(1, h.soon)
		holder := h.session()
		holder.begin()
		holder.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = %d;", p))
		stopped := make(chan error, 1)
		go func() { stopped <- h.sched.Stop(h.Context(), dialects.StopNow) }()
		h.pause(20 * time.Second)
		holder.commit()
		require.NoError(h, <-stopped)
		h.untilStatus(id, "Cancelled", h.freed)
	})
}
