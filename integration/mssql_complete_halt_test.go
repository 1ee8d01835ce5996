package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLLongHalt: while a process with very many tasks is being halted, others continue, and the sweep does not wait.
func TestMSSQLLongHalt(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halting"})
		later := h.process(dialects.NewProcess{Name: "later"})
		s, other := h.session(), h.session()
		s.begin()
		s.exec(h.say.enqueue(p, 1, h.say.nothing)) // enqueued before, committed while it is halted
		halting := h.session()
		halting.begin()
		// As HaltProcess does first.
		halting.exec(fmt.Sprintf("UPDATE dbsched.Processes SET Status = 'Failed', FinishedAt = SYSUTCDATETIME(), HasWork = 0 WHERE ProcessId = %d;", p))
		s.commit()
		id := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: later})[0]
		h.startsWithin(id, h.now(), time.Second)
		other.exec("SET LOCK_TIMEOUT 2000; EXEC dbsched.Sweep;")
		mine := h.exec(h.task(1, h.say.nothing))[0]
		h.startsWithin(mine, h.now(), time.Second)
		halting.commit()
		other.exec("EXEC dbsched.Sweep;")
		require.Equal(h, [][]string{{"LateTask", fmt.Sprint(p)}}, other.rows("SELECT Kind, ProcessId FROM dbsched.AlarmInfo;"))
	})
}

// TestMSSQLHeldProcess: whatever the dispatcher has to do for a process that another session holds, it does the rest, and that later.
func TestMSSQLHeldProcess(t *testing.T) {
	onMSSQL(t, setup{lanes: 4}, func(h *harness) {
		h.mayKill()
		p := h.process(dialects.NewProcess{Name: "held", OnError: "Continue"})
		h.resource("db", 1)
		holder := h.acquire("db", "Exclusive", 600, 0)
		holder.granted(time.Second)
		ids := h.exec(
			dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, Resource: "db"},
			dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: p, NotBefore: h.now().Add(3 * time.Second)},
			dialects.NewTask{SQL: h.dialect.Sleep(time.Minute), Order: 1, ProcessID: p, Timeout: 3 * time.Second},
			dialects.NewTask{SQL: h.dialect.Sleep(30 * time.Second), Order: 1, ProcessID: p},
		)
		h.untilRunning(2, h.soon)
		h.until(h.soon, "one waits", func() bool { _, waiting := h.line("db"); return len(waiting) == 1 })
		holds := h.session()
		holds.begin()
		holds.exec(fmt.Sprintf("UPDATE dbsched.Processes SET Weight = Weight WHERE ProcessId = %d;", p))
		holder.release()
		h.killWorker(ids[3])
		h.session().exec(fmt.Sprintf("INSERT INTO dbsched.ProcessRequests (ProcessId, Action) VALUES (%d, 'Close');", p)) // CloseProcess would refuse
		h.pause(4 * time.Second)
		for range 3 {
			h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), 7*time.Second) // a second for each kind of work
		}
		holds.rollback()
		h.until(2*time.Minute, "it ends", func() bool { return h.processOf(p).Status == "Failed" })
		for i, status := range []string{"Succeeded", "Succeeded", "TimedOut", "Succeeded"} {
			require.Equal(h, status, h.statusOf(ids[i]))
		}
		h.requireNoAlarms()
	})
}

// TestMSSQLTransactionalTaskWaits: while another session holds the row of its process, a transactional task that has done its work waits
// to record its end. Meanwhile others start, and the scheduler can be stopped.
func TestMSSQLTransactionalTaskWaits(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "held"})
		s := h.marks()
		id := h.exec(dialects.NewTask{SQL: h.say.slowly(1, time.Second), Order: 1, ProcessID: p, Transactional: true, OnOrphan: "Fail"})[0]
		h.untilRunning(1, h.soon)
		holds := h.session()
		holds.begin()
		holds.exec(fmt.Sprintf("UPDATE dbsched.Processes SET Weight = Weight WHERE ProcessId = %d;", p))
		h.pause(4 * time.Second)
		h.startsWithin(h.exec(h.task(1, h.say.nothing))[0], h.now(), time.Second)
		stopper := h.session()
		stopper.exec("SET LOCK_TIMEOUT 2000; UPDATE dbsched.Settings SET Started = Started;")
		holds.rollback()
		h.until(time.Second, "it succeeds", func() bool { return h.statusOf(id) == "Succeeded" })
		require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead))
		require.Len(h, h.logsOf(id), 1)
		h.requireNoAlarms()
	})
}

// TestMSSQLStopsHeldAttempt: an attempt that was cancelled while another session holds its process is ended once that is over, also if the
// scheduler is stopped and has no timer.
func TestMSSQLStopsHeldAttempt(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.mayKill()
		id := h.exec(h.sleep(1, time.Hour))[0]
		h.untilRunning(1, h.soon)
		require.NoError(h, h.sched.Stop(h.Context(), dialects.StopDrain))
		s, holds := h.session(), h.session()
		holds.begin()
		holds.exec("UPDATE dbsched.Processes SET Weight = Weight WHERE ProcessId = 1;")
		// As CancelTask does, which would wait.
		s.exec(fmt.Sprintf("UPDATE dbsched.Tasks SET Status = 'Stopping', StopOutcome = 'Cancelled', StopAt = SYSUTCDATETIME() WHERE TaskId = %d;", id))
		s.exec("EXEC dbsched.SendWake;")
		h.pause(5 * time.Second)
		require.Equal(h, "Stopping", h.statusOf(id))
		holds.rollback()
		h.until(5*time.Second, "it ends", func() bool { return h.statusOf(id) == "Cancelled" })
	})
}
