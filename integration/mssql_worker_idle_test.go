package integration

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLLooksAgainWhenIdle: a task may come after a worker has found none, and the dispatcher may look at the lanes before the worker
// says Idle, and so not wake it. The worker looks once more. Locks prolong the moment between the two.
func TestMSSQLLooksAgainWhenIdle(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "empty"})
		h.exec(h.sleep(1, 5*time.Second))
		h.untilRunning(1, h.soon)
		process, lane, s := h.session(), h.session(), h.session()
		// HasWork may be 1 without work.
		s.exec(fmt.Sprintf("UPDATE dbsched.Processes SET HasWork = 1 WHERE ProcessId = %d;", p))
		process.begin()
		process.rows(fmt.Sprintf("SELECT p.Status FROM dbsched.Processes AS p WITH (UPDLOCK, ROWLOCK) WHERE p.ProcessId = %d;", p))
		h.untilWaiting(1, "the worker looks for a task")
		lane.begin()
		lane.rows("SELECT l.State FROM dbsched.Lanes AS l WITH (UPDLOCK, ROWLOCK) WHERE l.LaneId = 1;")
		process.commit()
		h.untilWaiting(1, "the worker is about to say Idle")

		// What the dispatcher does when it finds no lane idle.
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);")
		id := h.exec(h.task(1, h.say.nothing))[0]
		s.exec("EXEC dbsched.MarkWork;")
		h.pause(time.Second)
		require.Empty(h, h.logsOf(id))
		since := h.now()
		lane.commit()
		h.startsWithin(id, since, h.soon)
	})
}

// TestMSSQLLooksAgainAfterTheMark: a task may come after a worker has found none in a process, and before it records that there. Meanwhile the
// dispatcher has nothing to mark. The worker looks once more; without that, the dispatcher would a second later. A lock prolongs the moment.
func TestMSSQLLooksAgainAfterTheMark(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		other := h.sleep(1, 5*time.Second)
		other.ProcessID = h.process(dialects.NewProcess{Name: "other"})
		h.exec(other)
		h.untilRunning(1, h.soon)
		holder, s := h.session(), h.session()
		s.exec("UPDATE dbsched.Processes SET HasWork = 1 WHERE ProcessId = 1;") // without work
		holder.begin(sql.LevelRepeatableRead)
		holder.rows("SELECT p.Status FROM dbsched.Processes AS p WITH (REPEATABLEREAD, ROWLOCK) WHERE p.ProcessId = 1;")
		h.untilWaiting(1, "the worker is about to say that there is none")
		since := h.now()
		id := h.exec(h.task(1, h.say.nothing))[0]
		h.pause(100 * time.Millisecond) // for the dispatcher
		require.Empty(h, h.logsOf(id))
		holder.commit()
		h.startsWithin(id, since, h.soon/2)
	})
}

// TestMSSQLTakenLane: a session that is woken for a lane in which another works passes the wake-up back, and the dispatcher wakes another lane.
func TestMSSQLTakenLane(t *testing.T) {
	onMSSQL(t, setup{lanes: 3}, func(h *harness) {
		h.pause(90 * time.Second) // the next sweep, which would assign a lane, too, is in half a minute
		h.admin().exec("EXEC sys.sp_getapplock N'lane:2', 'Exclusive', 'Session', 0, N'dbsched_locks';")
		const wave = 5 * time.Second
		since := h.now()
		ids := h.exec(h.sleep(1, wave), h.sleep(2, time.Minute), h.sleep(2, time.Minute))
		h.pause(wave)
		h.startsWithin(ids[2], since, wave+2*time.Second+h.soon) // two seconds: as long as it waits for the lane
	})
}
