package integration

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestPurge deletes what has ended, at once and however much there is, and nothing that has not.
func TestPurge(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		running := h.exec(h.sleep(1, 3*time.Hour))[0]
		h.untilRunning(1, 2*h.soon)
		p := h.process(dialects.NewProcess{Name: "over", OnError: "Continue"})
		open := h.process(dialects.NewProcess{Name: "not over"})
		list := []dialects.NewTask{{SQL: h.say.nothing, Order: 1, ProcessID: open}}
		for range 260 { // attempts, and not tasks, for more than a slice
			list = append(list, dialects.NewTask{SQL: h.say.fails(0), Order: 1, ProcessID: p, MaxAttempts: 2})
		}
		h.exec(list...)
		later := h.exec(dialects.NewTask{SQL: h.say.nothing, Order: 1, ProcessID: open, NotBefore: h.now().Add(time.Hour)})[0]
		require.NoError(h, h.sched.CloseProcess(h.Context(), p))
		h.waitFor(p, 2*time.Minute)
		h.until(time.Minute, "the other process's task ends", func() bool { return len(h.logs()) == 522 })
		h.pause(time.Minute)

		s := h.session()
		s.exec(h.say.purge(1))
		require.Len(h, h.logs(), 522, "nothing is a day old")
		require.ErrorContains(h, s.try(h.say.purge(-1)), h.errorText(3))
		s.exec(h.say.purge(0))
		logs := h.logs()
		require.Len(h, logs, 1, "that of the attempt that runs")
		require.Equal(h, running, logs[0].TaskID)
		require.Len(h, h.tasks(), 2)
		require.Equal(h, []string{"Running", "Waiting"}, h.statuses([]int64{running, later}))
		processes, err := h.sched.Processes(h.Context(), dialects.Filter{})
		require.NoError(h, err)
		require.Len(h, processes, 2, "the default process, and the one that is open")
		h.requireNoAlarms()
	})
}

// TestPurgeOfAProcessWithLateTasks: a process that has ended is kept until the tasks committed after its end have ended.
func TestPurgeOfAProcessWithLateTasks(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		p, late := h.lateTask()
		s.exec(h.say.purge(0))
		require.Equal(h, "Failed", h.processOf(p).Status)
		s.exec(h.say.sweep)
		h.untilStatus(late, "Skipped", 5*time.Second)
		require.Len(h, h.alarmsOf("LateTask"), 1)
		h.pause(time.Second)
		s.exec(h.say.purge(0))
		require.Empty(h, h.tasks())
		list, err := h.sched.Processes(h.Context(), dialects.Filter{ProcessID: p})
		require.NoError(h, err)
		require.Empty(h, list)
	})
}

// TestTaskOfAForgottenProcess: where nobody can see uncommitted tasks, a process may be deleted before one of its tasks is committed. The task
// is still skipped.
func TestTaskOfAForgottenProcess(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		p := h.process(dialects.NewProcess{Name: "halts"})
		s, c := h.session(), h.session()
		c.begin()
		late := number(h, c.ask(h.say.enqueueReturn(p, 5, h.say.nothing)))
		h.exec(dialects.NewTask{SQL: h.say.failing[0].sql, Order: 1, ProcessID: p})
		h.until(4*time.Second+h.restart, "the process fails", func() bool { return h.processOf(p).Status == "Failed" })
		h.pause(time.Second)
		s.exec(h.say.purge(0))
		list, err := h.sched.Processes(h.Context(), dialects.Filter{ProcessID: p})
		require.NoError(h, err)
		require.Equal(h, h.seesUncommitted, len(list) == 1)
		c.commit()
		s.exec(h.say.sweep)
		h.untilStatus(late, "Skipped", 5*time.Second)
		require.Len(h, h.alarmsOf("LateTask"), 1)
		require.Zero(h, h.status().Unfinished)
	})
}

// TestOptions: rarely changed settings can be set while the scheduler runs; all of them, or none.
func TestOptions(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		require.Positive(h, h.status().Workers, "idle workers linger")
		s.exec(h.say.options(map[string]int{"LingerSeconds": 1}))
		h.pause(30 * time.Second)
		h.exec(h.task(1, h.say.nothing))
		h.drain(10 * time.Second)
		h.pause(3 * time.Second)
		require.Zero(h, h.status().Workers, "not for long")

		// A retry may wait for five seconds, and not for the hour that it asks for.
		s.exec(h.say.options(map[string]int{"MaxRetryDelaySeconds": 5, "MaxOrphans": 0}))
		bad := h.task(1, h.say.fails(0))
		bad.MaxAttempts, bad.RetryDelay = 2, time.Hour
		id := h.exec(bad)[0]
		h.until(20*time.Second, "the second attempt", func() bool { return len(h.logsOf(id)) == 2 })

		for name, values := range sorted(map[string][]int{
			"LingerSeconds": {-1, 3601}, "IdleSweepSeconds": {0, 86401}, "RetentionDays": {0, 36501},
			"MaxRetryDelaySeconds": {-1, 86401}, "MaxOrphans": {-1, 101}, "OutageSeconds": {-1, 2592001}, "MaxTasksPerUser": {-1}, "DefaultTimeoutSeconds": {-1},
		}) {
			for _, n := range values {
				all := map[string]int{"LingerSeconds": 33, "IdleSweepSeconds": 33, "RetentionDays": 33, "MaxRetryDelaySeconds": 33, "MaxOrphans": 33, "OutageSeconds": 33, "MaxTasksPerUser": 33, "DefaultTimeoutSeconds": 33}
				all[name] = n
				err := s.try(h.say.options(all))
				require.ErrorContains(h, err, h.errorText(3))
				require.Contains(h, strings.ToLower(strings.ReplaceAll(err.Error(), "_", "")), strings.ToLower(name))
			}
		}
		require.ErrorContains(h, s.try(h.say.options(nil)), h.errorText(3))
		require.Equal(h, [][]string{{"1", "60", "30", "5", "0", "86400", "0", "0"}}, s.rows(h.say.optionsRead), "all or nothing")
	})
}

// TestOptionsMoveTheSweep: a shorter interval between sweeps counts from now on, not after the longer one.
func TestOptionsMoveTheSweep(t *testing.T) {
	each(t, setup{lanes: 2}, func(h *harness) {
		s := h.session()
		s.exec(h.say.options(map[string]int{"IdleSweepSeconds": 86400}))
		h.pause(10 * time.Minute)
		require.Greater(h, number(h, s.value(h.say.nextSweep)), int64(80000))
		s.exec(h.say.options(map[string]int{"IdleSweepSeconds": 20}))
		h.pause(time.Second)
		require.LessOrEqual(h, number(h, s.value(h.say.nextSweep)), int64(20))
	})
}
