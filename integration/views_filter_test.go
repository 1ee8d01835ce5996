package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestProcessByNumberAndName: a number is a process's id, or else its name.
func TestProcessByNumberAndName(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		named := h.process(dialects.NewProcess{Name: "2026"})
		other := h.process(dialects.NewProcess{Name: fmt.Sprint(named)})
		for text, want := range map[string]int64{"2026": named, fmt.Sprint(named): named, fmt.Sprint(other): other} {
			id, err := h.sched.FindProcess(h.Context(), text)
			require.NoError(h, err)
			require.Equal(h, want, id, text)
		}
		_, err := h.sched.FindProcess(h.Context(), "4711")
		require.ErrorContains(h, err, `there is no process "4711"`)
	})
}

// TestListsAreNarrowed: filters select tasks and attempts by task, several statuses, time and text.
func TestListsAreNarrowed(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		h.marks()
		first := h.exec(h.task(1, h.say.mark(77)))[0]
		h.drain(time.Minute)
		h.pause(time.Hour)
		between := h.now().Add(-time.Minute)
		second := h.exec(h.task(1, h.say.failing[0].sql), h.task(2, h.say.mark(78)))[0]
		h.drain(time.Minute)

		for name, c := range map[string]struct {
			f    dialects.Filter
			want []int64
		}{
			"task":          {dialects.Filter{TaskID: second}, []int64{second}},
			"statuses":      {dialects.Filter{Statuses: []string{"Failed", "Succeeded"}}, []int64{first, second, second + 1}},
			"a status":      {dialects.Filter{Statuses: []string{"Failed"}}, []int64{second}},
			"since":         {dialects.Filter{Since: between}, []int64{second, second + 1}},
			"until":         {dialects.Filter{Until: between}, []int64{first}},
			"text":          {dialects.Filter{Text: "MaRkS"}, []int64{first, second + 1}},
			"text and time": {dialects.Filter{Text: "marks", Since: between}, []int64{second + 1}},
			"no such text":  {dialects.Filter{Text: "%"}, nil},
		} {
			var tasks, attempts []int64
			list, err := h.sched.Tasks(h.Context(), c.f)
			require.NoError(h, err, name)
			for _, task := range list {
				tasks = append(tasks, task.ID)
			}
			logs, err := h.sched.Logs(h.Context(), c.f)
			require.NoError(h, err, name)
			for _, e := range logs {
				attempts = append(attempts, e.TaskID)
			}
			require.Equal(h, c.want, tasks, name)
			require.Equal(h, c.want, attempts, name)
		}
		logs, err := h.sched.Logs(h.Context(), dialects.Filter{Text: "divi"})
		require.NoError(h, err)
		require.Len(h, logs, 1, "in the error")
	})
}

// TestWhatIsNew: filters select attempts after a known one, and processes that are unfinished or ended lately.
func TestWhatIsNew(t *testing.T) {
	each(t, setup{lanes: 1}, func(h *harness) {
		old := h.process(dialects.NewProcess{Name: "old"})
		done := h.sleep(1, time.Second)
		done.ProcessID = old
		h.exec(done)
		require.NoError(h, h.sched.CloseProcess(h.Context(), old))
		h.waitFor(old, time.Minute)
		h.pause(time.Hour)
		h.exec(h.sleep(1, time.Second), h.sleep(2, time.Second))
		h.drain(time.Minute)
		all := h.logs()
		require.Len(h, all, 3)
		news, err := h.sched.Logs(h.Context(), dialects.Filter{After: all[1].ID, Also: []int64{all[0].ID, 4711}})
		require.NoError(h, err)
		require.Equal(h, []dialects.LogEntry{all[0], all[2]}, news)
		for since, want := range map[time.Duration][]string{time.Minute: {"default"}, 2 * time.Hour: {"default", "old"}} {
			open, err := h.sched.Processes(h.Context(), dialects.Filter{Open: h.now().Add(-since)})
			require.NoError(h, err)
			var names []string
			for _, p := range open {
				names = append(names, p.Name)
			}
			require.Equal(h, want, names)
		}
	})
}

// TestQueue: unfinished tasks are counted by status, including those that only wait for a worker.
func TestQueue(t *testing.T) {
	each(t, setup{lanes: 1, stopped: true}, func(h *harness) {
		queue, err := h.sched.Queue(h.Context())
		require.NoError(h, err)
		require.Empty(h, queue)
		due := h.now().Add(time.Hour).Truncate(time.Second)
		later := h.sleep(1, time.Second)
		later.NotBefore = due
		h.exec(h.sleep(1, time.Second), h.sleep(1, time.Second), h.sleep(2, time.Second), later)
		queue, err = h.sched.Queue(h.Context())
		require.NoError(h, err)
		require.Len(h, queue, 2)
		tasks := h.tasks()
		require.Equal(h, dialects.Queued{
			Status: "Pending", Tasks: 3, Oldest: tasks[0].EnqueuedAt, Runnable: 2, OldestRunnable: &tasks[0].EnqueuedAt,
		}, queue[0])
		require.Equal(h, dialects.Queued{Status: "Waiting", Reason: "Delay", Tasks: 1, Oldest: tasks[3].EnqueuedAt, NextDue: &due}, queue[1])
		require.NoError(h, h.sched.Start(h.Context()))
		h.untilRunning(1, h.restart)
		queue, err = h.sched.Queue(h.Context())
		require.NoError(h, err)
		var states []string
		for _, q := range queue {
			states = append(states, q.Status)
		}
		require.Equal(h, []string{"Pending", "Running", "Waiting"}, states)
	})
}
