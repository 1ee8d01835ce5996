package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLCompletionIsFenced: a completion by another worker, or of another attempt, changes nothing, whether it reports success or not.
func TestMSSQLCompletionIsFenced(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		h.untilRunning(1, 10*time.Second)
		s := h.admin()
		const attempt = "(SELECT t.LogId FROM dbsched.Tasks AS t WHERE t.TaskId = %[1]d)"
		const worker = "(SELECT t.WorkerId FROM dbsched.Tasks AS t WHERE t.TaskId = %[1]d)"
		for _, outcome := range []string{"Succeeded", "Failed", "Orphaned"} {
			for what, who := range sorted(map[string][2]string{"worker": {attempt, "NEWID()"}, "attempt": {"7", worker}}) {
				text := fmt.Sprintf(`DECLARE @Result varchar(10), @LogId bigint = `+who[0]+`, @WorkerId uniqueidentifier = `+who[1]+`;
EXEC dbsched.CompleteAttempt @LaneId = 1, @WorkerId = @WorkerId, @ProcessId = 1, @TaskId = %[1]d, @LogId = @LogId, @Outcome = '%[2]s', @Result = @Result OUTPUT;
SELECT @Result;`, id, outcome)
				require.Equal(h, [][]string{{"Lost"}}, s.rows(text), "%s by another %s", outcome, what)
				require.Equal(h, "Running", h.statusOf(id), "%s by another %s", outcome, what)
			}
		}
		h.drain(20 * time.Second)
		require.Equal(h, "Succeeded", h.statusOf(id))
		logs := h.logsOf(id)
		require.Len(h, logs, 1)
		require.Equal(h, "Succeeded", logs[0].Outcome)
	})
}

// TestMSSQLLostAttemptIsUndone: if the worker of a transactional task was wrongly declared dead, the recorded attempt
// leaves its work, and the other one nothing.
func TestMSSQLLostAttemptIsUndone(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.marks()
		id := h.exec(dialects.NewTask{SQL: h.say.slowly(1, 10*time.Second), Order: 1, Transactional: true})[0]
		h.untilRunning(1, h.soon)
		h.pause(5 * time.Second)
		// As RecoverLane does.
		s.exec(fmt.Sprintf(`DECLARE @LaneId int, @WorkerId uniqueidentifier, @LogId bigint;
SELECT @LaneId = t.LaneId, @WorkerId = t.WorkerId, @LogId = t.LogId FROM dbsched.Tasks AS t WHERE t.TaskId = %[1]d;
EXEC dbsched.CompleteAttempt @LaneId = @LaneId, @WorkerId = @WorkerId, @ProcessId = 1, @TaskId = %[1]d, @LogId = @LogId, @Outcome = 'Orphaned';`, id))
		h.drain(time.Minute)
		logs := h.logsOf(id)
		require.Len(h, logs, 2)
		require.Equal(h, []string{"Orphaned", "Succeeded"}, []string{logs[0].Outcome, logs[1].Outcome})
		require.NotEqual(h, logs[0].SessionID, logs[1].SessionID, "they ran beside each other")
		require.Equal(h, [][]string{{"1"}}, s.rows(h.say.markRead))
		h.requireNoAlarms()
	})
}

// TestMSSQLNextWorkerRecovers: a worker that enters the lane of a dead one first takes care of its task, without a sweep.
func TestMSSQLNextWorkerRecovers(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		h.session().exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		h.untilRunning(1, h.soon)
		h.killWorker(id)
		h.pause(time.Minute)
		require.Equal(h, "Running", h.statusOf(id), "nobody has noticed")
		h.session().exec("EXEC dbsched.SendWake 1;") // left behind by an earlier assignment
		h.until(2*time.Second, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestMSSQLLostCompletion: a worker that cannot record the end of an attempt reports it and keeps trying, because the work is done and must
// not be done twice. Only if its session dies meanwhile is the task an orphan: the sweep, too, gives up and comes back. A constraint
// simulates a full log.
func TestMSSQLLostCompletion(t *testing.T) {
	onMSSQL(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		full := func(id int64) {
			h.untilRunning(1, h.soon)
			s.exec(fmt.Sprintf("ALTER TABLE dbsched.Logs ADD CONSTRAINT NoRoom CHECK (EndedAt IS NULL OR TaskId <> %d);", id))
			h.pause(15 * time.Minute)
			require.Equal(h, "Running", h.statusOf(id))
		}
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		full(id)
		require.NotEmpty(h, h.alarmsOf("LostCompletion"))
		s.exec("ALTER TABLE dbsched.Logs DROP CONSTRAINT NoRoom;")
		h.pause(5 * time.Second)
		require.Equal(h, "Succeeded", h.statusOf(id))
		require.Len(h, h.logsOf(id), 1, "it ran once")

		id = h.exec(h.sleep(1, 5*time.Second))[0]
		full(id)
		h.killWorker(id)
		h.pause(15 * time.Minute)
		require.Equal(h, "Running", h.statusOf(id))
		s.exec("ALTER TABLE dbsched.Logs DROP CONSTRAINT NoRoom;")
		h.until(3*time.Minute, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		h.drain(time.Minute)
		require.Equal(h, "Succeeded", h.statusOf(id))
	})
}

// TestMSSQLOrphanOfABusyLane: the worker that finds an orphan in its lane may have something else to do first; then another runs it.
func TestMSSQLOrphanOfABusyLane(t *testing.T) {
	onMSSQL(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		s.exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		id := h.exec(h.sleep(1, 5*time.Second))[0]
		h.untilRunning(1, h.soon)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		lane := 1
		for lanes[lane-1].TaskID != id {
			lane++
		}
		h.killWorker(id)
		// Other work is already known, and no wake-up is on its way.
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = OFF);")
		first := h.task(1, h.dialect.Sleep(time.Minute))
		first.Priority = 9
		h.exec(first)
		s.exec("EXEC dbsched.MarkWork;")
		s.exec("DECLARE @h TABLE (h uniqueidentifier); RECEIVE conversation_handle FROM dbsched.Dispatch INTO @h;")
		s.exec(fmt.Sprintf("EXEC dbsched.SendWake %d;", lane))
		h.untilRunning(1, 5*time.Second)
		h.until(5*time.Second, "the first attempt is over", func() bool { return h.logsOf(id)[0].Outcome == "Orphaned" })
		s.exec("ALTER QUEUE dbsched.Dispatch WITH ACTIVATION (STATUS = ON);")
		h.until(5*time.Second, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })
		require.Equal(h, "Orphaned", h.logsOf(id)[0].Outcome)
		require.Equal(h, 2, h.running())
	})
}
