package simulation

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// timely returns a history whose process 2 has task 11 of the first wave and 12 of the second, each begun as soon as it may, and its photo.
func timely() (*history, *photo) {
	p := &process{number: 1, weight: 1, tasks: []task{{number: 1, wave: 1, attempts: 2}, {number: 2, wave: 2, attempts: 1}}}
	h := &history{
		workload: workload{workers: 2, steps: []step{{process: p}}}, decided: &decisions{}, enqueued: map[int]certainty{1: yes}, reports: map[int]certainty{0: yes},
		began: map[int]time.Time{0: at(0)}, done: map[int]time.Time{0: at(0.1)}, rest: at(100), dialect: "mssql",
		tasks: []taskRow{{id: 11, process: 2, number: 1}, {id: 12, process: 2, number: 2}},
	}
	f := &photo{settled: true, all: map[string][]line{
		"Tasks": {
			rowOf("Tasks", "TaskId", "11", "ProcessId", "2", "ExecutionOrder", "1", "EnqueuedAt", stamp(0.05), "FinishedAt", stamp(2), "SqlText", "EXEC dbo.Work 1, 0, 0"),
			rowOf("Tasks", "TaskId", "12", "ProcessId", "2", "ExecutionOrder", "2", "EnqueuedAt", stamp(0.05), "FinishedAt", stamp(4), "SqlText", "EXEC dbo.Work 2, 0, 0"),
		},
		"Logs":      {logged("11", 1, stamp(0.14), stamp(2), "Succeeded"), logged("12", 1, stamp(2.04), stamp(4), "Succeeded")},
		"Processes": {rowOf("Processes", "ProcessId", "2"), rowOf("Processes", "ProcessId", "3")},
	}}
	return h, f
}

// logged is a row of the log: an attempt in a lane.
func logged(task string, lane int, began, ended, outcome string) line {
	return rowOf("Logs", "LogId", task, "TaskId", task, "ProcessId", "2", "LaneId", string(rune('0'+lane)), "StartedAt", began, "EndedAt", ended, "Outcome", outcome)
}

// TestPrompt: what could begin must, and each reason to wait counts.
func TestPrompt(t *testing.T) {
	const late = "task id 12 could begin at 09:00:02.000, began at 09:00:03.000"
	other := func(process string, began, ended float64) line {
		l := logged("13", 2, stamp(began), stamp(ended), "Succeeded")
		l.set("ProcessId", process)
		return l
	}
	cases := []struct {
		name  string
		rule  string // part of what the checker says; nothing: it allows that
		wrong func(h *history, f *photo)
	}{
		{"at once", "", func(*history, *photo) {}},
		{"late", late, nil},
		{"a session starts", "", func(h *history, _ *photo) { h.starts = []spell{{at(2.01), at(2.99)}} }},
		{"another has started", late, func(h *history, _ *photo) { h.starts = []spell{{at(2.01), at(2.5)}} }},
		{"all workers are busy", "", func(h *history, f *photo) {
			h.workers, f.all["Logs"] = 1, append(f.all["Logs"], other("3", 2, 2.99))
		}},
		{"there are no workers", "", func(h *history, _ *photo) {
			h.order(setWorkers, 0, 2)
			h.order(setWorkers, 1, 2.99)
		}},
		{"one worker of two is busy", late, func(_ *history, f *photo) { f.all["Logs"] = append(f.all["Logs"], other("3", 2, 2.99)) }},
		{"its process is full", "", func(_ *history, f *photo) {
			f.all["Logs"] = append(f.all["Logs"], other("2", 2, 2.99))
			f.all["Processes"][0].set("MaxParallel", "1")
		}},
		{"the scheduler is stopped", "", func(h *history, _ *photo) {
			h.order(stop, 0, 2)
			h.order(start, 0, 2.99)
		}},
		{"its key is taken", "", func(_ *history, f *photo) {
			f.all["Tasks"][1].set("DedupKey", "k")
			f.all["Tasks"] = append(f.all["Tasks"], rowOf("Tasks", "TaskId", "13", "ProcessId", "2", "ExecutionOrder", "2", "DedupKey", "k", "EnqueuedAt", stamp(0), "FinishedAt", stamp(2.99)))
		}},
		{"its resource is taken", "", func(h *history, f *photo) {
			f.all["Tasks"][1].set("ResourceId", "1")
			h.order(hold, 0, 2)
			h.done[len(h.steps)-1] = at(2.99)
		}},
		{"a task has its resource", "", func(_ *history, f *photo) {
			f.all["Tasks"][1].set("ResourceId", "1")
			f.all["Tasks"] = append(f.all["Tasks"], rowOf("Tasks", "TaskId", "13", "ProcessId", "3", "ExecutionOrder", "1", "ResourceId", "1", "EnqueuedAt", stamp(1.5), "FinishedAt", stamp(2.99)))
			f.all["Logs"] = append(f.all["Logs"], other("3", 1.5, 2.99))
		}},
		{"somebody may have retried it", "", func(h *history, _ *photo) { h.order(retryTask, 2, 1) }},
		{"a fault", "", func(h *history, _ *photo) { h.faults, h.decided.faults = 1, []string{"kill"} }},
		{"it is due", "", func(h *history, _ *photo) { h.steps[0].process.tasks[1].delay = 1 }}, // at 3 s
		{"its process is released", "", func(h *history, _ *photo) {
			h.steps[0].process.suspended = true
			h.order(releaseProcess, 1, 2.99)
		}},
		{"a retry", "attempt 2 of task id 11 could begin at 09:00:01.000, began at 09:00:01.500", func(_ *history, f *photo) {
			f.all["Logs"] = []line{logged("11", 1, stamp(0.14), stamp(1), "Failed"), logged("11", 1, stamp(1.5), stamp(2), "Succeeded")}
		}},
		{"a retry after its pause", "", func(_ *history, f *photo) {
			f.all["Tasks"][0].set("RetryDelaySeconds", "1")
			f.all["Logs"] = []line{logged("11", 1, stamp(0.14), stamp(1), "Failed"), logged("11", 1, stamp(2.9), stamp(3), "Succeeded")}
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h, f := timely()
			if c.name != "at once" {
				f.all["Logs"][1].set("StartedAt", stamp(3))
			}
			if c.wrong != nil {
				c.wrong(h, f)
			}
			k := newChecker(h)
			k.prompt(f)
			if c.rule == "" {
				require.Empty(t, k.broken)
			} else {
				require.Contains(t, strings.Join(k.broken, "\n"), c.rule)
			}
		})
	}
}

// TestOldest: under Fifo no process begins a task while an older one has had a runnable one.
func TestOldest(t *testing.T) {
	history := func() *checker {
		h, _ := timely()
		q := &process{number: 2, weight: 1, tasks: []task{{number: 3, wave: 1, attempts: 1}}}
		h.steps = append(h.steps, step{process: q})
		h.began[1], h.done[1] = at(0), at(0.1)
		h.order(policy, 0, 0)
		h.processes = []processRow{{id: 2, name: "p1"}, {id: 3, name: "p2"}}
		h.runs = runs(1, 1, 2, 2, 3, 4, 3, 5, 6)
		return newChecker(h)
	}
	c := history()
	c.oldest()
	require.Empty(t, c.broken)
	c = history()
	c.runs = runs(1, 1, 2, 3, 5, 6, 2, 7, 8)
	c.oldest()
	require.Equal(t, []string{"task 3 of process 2 began before task 2 of process 1, which is older"}, c.broken)
	c = history()
	c.runs, c.steps[2].n = runs(1, 1, 2, 3, 5, 6, 2, 7, 8), 2 // RoundRobin
	c.oldest()
	require.Empty(t, c.broken)
}

// TestTriedToEnd: who looks too often or too seldom at a session that nobody may end is noticed.
func TestTriedToEnd(t *testing.T) {
	for n, rule := range map[string]string{"1": "the end of task id 12 was tried 1 times in 5s, not 2 to 3 times", "2": "", "3": "", "4": "tried 4 times"} {
		h, f := timely()
		f.all["Tasks"][1].set("TimeoutSeconds", "1")
		f.all["Tasks"][1].set("StopTries", n)
		c := newChecker(h)
		c.logsOf = map[int][]line{2: {logged("12", 1, stamp(2), stamp(8), "TimedOut")}}
		c.triedToEnd(f)
		if rule == "" {
			require.Empty(t, c.broken)
		} else {
			require.Contains(t, strings.Join(c.broken, "\n"), rule)
		}
	}
}
