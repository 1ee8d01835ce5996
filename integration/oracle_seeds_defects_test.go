package integration

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// What the published design does, done by dbsched; and for each of its defects, proof that dbsched does not have it.

// TestOracleAhoyReproduced: more workers, fewer and none, one by hand, first in first out, a dead worker's task again.
func TestOracleAhoyReproduced(t *testing.T) {
	onOracle(t, setup{lanes: 8, workers: 4}, func(h *harness) {
		var tasks []dialects.NewTask
		for i := range 30 {
			tasks = append(tasks, h.sleep(1, time.Duration(60+7*(i%9))*time.Second))
		}
		ids := h.exec(tasks...)
		h.untilRunning(4, 2*h.restart)
		for i, l := range h.logs() {
			require.Equal(h, ids[i], l.TaskID, "first in, first out")
		}
		require.NoError(h, h.sched.SetWorkers(h.Context(), 8))
		h.untilRunning(8, 2*h.restart) // without another task ending first
		require.NoError(h, h.sched.SetWorkers(h.Context(), 2))
		h.untilRunning(2, 3*time.Minute)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 0))
		h.untilRunning(0, 3*time.Minute)
		h.pause(5 * time.Minute)
		started := len(h.logs())
		require.Less(h, started, len(ids), "without workers nothing runs, and what is left waits")

		s, done := h.session(), make(chan error)
		go func() { done <- s.try(h.say.worker(30)) }()
		h.untilRunning(1, time.Minute)
		require.NoError(h, h.sched.SetWorkers(h.Context(), 7))
		h.untilRunning(min(8, len(ids)-started), 2*h.restart)
		victim := h.logs()[len(h.logs())-1].TaskID
		h.killWorker(victim)
		h.drain(20 * time.Minute)
		h.pause(time.Minute) // the worker by hand has nothing more to wait for
		require.NoError(h, <-done, "%s", h.report())
		require.Equal(h, slices.Repeat([]string{"Succeeded"}, len(ids)), h.statuses(ids))
		attempts := h.logsOf(victim)
		require.Len(h, attempts, 2)
		require.Equal(h, []string{"Orphaned", "Succeeded"}, []string{attempts[0].Outcome, attempts[1].Outcome})
	})
}

// TestOracleAhoyMissingSequence: a fresh installation compiles, without anything created by hand.
func TestOracleAhoyMissingSequence(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		require.Empty(h, s.rows("select o.object_type, o.object_name from user_objects o where o.status <> 'VALID'"))
		require.Empty(h, s.rows("select e.name, e.text from user_errors e"))
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
	})
}

// TestOracleAhoyInjection: names never become part of a statement.
func TestOracleAhoyInjection(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		const bad = `it's "x"'); execute immediate 'drop table marks'; --`
		p := h.process(dialects.NewProcess{Name: bad})
		h.exec(dialects.NewTask{SQL: h.say.mark(1), Order: 1, ProcessID: p})
		require.NoError(h, h.sched.DefineRound(h.Context(), dialects.NewRound{Name: bad, Members: []string{bad}, SuccessorSQL: h.say.mark(2)}))
		h.reports(bad, bad, true, dialects.RoundStarted)
		require.NoError(h, h.sched.DefineResource(h.Context(), bad, 1))
		h.waitFor(p, time.Minute)
		h.drain(time.Minute)
		require.ElementsMatch(h, [][]string{{"1"}, {"2"}}, s.rows(h.say.markRead))
		require.Equal(h, bad, h.processOf(p).Name)
		require.Equal(h, bad, h.roundOf(bad).Name)
	})
}

// TestOracleAhoyPartialWork: what a failed task has not committed itself is rolled back.
func TestOracleAhoyPartialWork(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.marks()
		h.exec(h.task(1, "begin insert into marks (n) values (1); raise_application_error(-20100, 'no milk'); end;"), h.task(1, h.say.mark(2)))
		h.drain(time.Minute)
		require.Equal(h, [][]string{{"2"}}, s.rows(h.say.markRead))
	})
}

// TestOracleAhoyErrorText: an error is recorded with its task, with its stack, its unit and its line.
func TestOracleAhoyErrorText(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.marks()
		other := h.process(dialects.NewProcess{Name: "other"})
		good := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: other})[0]
		bad := h.exec(h.task(1, "begin\n    failing;\nend;"))[0]
		h.drain(time.Minute)
		h.waitFor(other, time.Minute)
		l := h.logsOf(bad)[0]
		require.Equal(h, 1476, l.ErrorNumber)
		require.Contains(h, l.ErrorMessage, "divisor is equal to zero")
		require.Contains(h, l.ErrorUnit, "FAILING")
		require.Equal(h, 4, l.ErrorLine)
		trace := h.session().value(fmt.Sprintf("select error_backtrace from ds_log_info where task_id = %d", bad))
		require.Contains(h, trace, fmt.Sprintf("ORA-06512: at %q, line 4\nORA-06512: at line 2", h.schema+".FAILING"), "where it was raised, and who called")
		require.Empty(h, h.logsOf(good)[0].ErrorMessage)
	})
}

// TestOracleAhoyDiesSilently: a worker that is killed between two tasks, or a killed dispatcher, does not go unnoticed for long.
func TestOracleAhoyDiesSilently(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		lanes, err := h.sched.Lanes(h.Context())
		require.NoError(h, err)
		require.NotZero(h, lanes[0].SessionID, "it waits for more")
		admin := h.admin()
		admin.exec(h.say.kill(lanes[0].SessionID))
		h.exec(h.task(1, h.say.nothing))
		h.drain(3 * time.Minute)
		admin.exec(h.say.kill(int(number(h, admin.value("select x.session_id from dba_scheduler_running_jobs x where x.owner = '"+h.schema+"' and x.job_name = 'DS_DISPATCHER'")))))
		h.exec(h.task(1, h.say.nothing))
		h.drain(3 * time.Minute)
		require.Len(h, h.logs(), 3)
	})
}

// TestOracleAhoyErrorBlocks: a task that fails for good ends only its own process; it can be retried; each attempt is kept.
func TestOracleAhoyErrorBlocks(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		s := h.session()
		p := h.process(dialects.NewProcess{Name: "halts"})
		ids := h.exec(dialects.NewTask{SQL: h.say.early, Order: 1, ProcessID: p, MaxAttempts: 2, RetryDelay: time.Second},
			dialects.NewTask{SQL: h.say.nothing, Order: 2, ProcessID: p})
		next := h.exec(h.task(1, h.say.nothing))[0]
		h.until(time.Minute, "the end", func() bool { return h.processOf(p).Status == "Failed" })
		h.drain(time.Minute)
		require.Equal(h, []string{"Failed", "Skipped"}, h.statuses(ids))
		require.Equal(h, "Succeeded", h.statusOf(next))
		require.Len(h, h.logsOf(ids[0]), 2)
		s.exec(h.say.late)
		require.NoError(h, h.sched.RetryProcess(h.Context(), p))
		h.until(time.Minute, "another end", func() bool { return h.statusOf(ids[1]) == "Succeeded" })
		require.Len(h, h.logsOf(ids[0]), 3)
	})
}

// TestOracleAhoyPartitioning: dbsched needs no option of the Enterprise Edition, and a task costs no row in the
// scheduler's log.
func TestOracleAhoyPartitioning(t *testing.T) {
	onOracle(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		h.exec(h.task(1, h.say.nothing))
		h.drain(time.Minute)
		logged := func() int64 { return number(h, s.value("select count(*) from user_scheduler_job_log")) }
		before := logged()
		var tasks []dialects.NewTask
		for range 50 {
			tasks = append(tasks, h.task(1, h.say.nothing))
		}
		h.exec(tasks...)
		h.drain(5 * time.Minute)
		require.LessOrEqual(h, logged()-before, int64(4))
		require.Empty(h, s.rows("select t.table_name from user_tables t where t.partitioned = 'YES' union all select i.index_name from user_indexes i where i.partitioned = 'YES'"))
	})
}

// TestOracleAhoyJobExists: a worker counts as alive if its session is, not because a job with its name exists.
func TestOracleAhoyJobExists(t *testing.T) {
	onOracle(t, setup{lanes: 1}, func(h *harness) {
		id := h.exec(h.sleep(1, time.Minute))[0]
		h.untilRunning(1, 2*h.restart)
		h.killWorker(id)
		require.Equal(h, "1", h.session().value("select count(*) from user_scheduler_jobs where job_name = 'DS_LANE_01'"))
		h.drain(5 * time.Minute)
		require.Equal(h, []string{"Orphaned", "Succeeded"}, []string{h.logsOf(id)[0].Outcome, h.logsOf(id)[1].Outcome})
	})
}
