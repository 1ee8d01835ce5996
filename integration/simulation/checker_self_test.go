package simulation

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox"
)

// second0 is when the hand-written histories begin.
var second0 = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return second0.Add(time.Duration(seconds * float64(time.Second)))
}

// good returns a history that breaks no rule: a process with tasks 1 and 2 in the first wave, 3 in the second, 4 whose effects happen once;
// another process with task 5 of the second user; two sessions that hold the resource; a round of two members; a schedule that fires each minute.
func good() *history {
	p := &process{number: 1, halt: true, weight: 1, tasks: []task{
		{number: 1, wave: 1, attempts: 1}, {number: 2, wave: 1, attempts: 1}, {number: 3, wave: 2, attempts: 1}, {number: 4, wave: 2, attempts: 2, transactional: true},
	}}
	q := &process{number: 2, weight: 1, second: true, tasks: []task{{number: 5, wave: 1, attempts: 1}, {number: 6, wave: 1, attempts: 1, undone: true}}}
	h := &history{
		workload: workload{workers: 2, steps: []step{
			{process: p}, {process: q}, {order: hold, n: 4}, {order: hold, n: 8}, {order: defineRound, n: 2}, {order: report, n: 1}, {order: report, n: 2}, {order: schedule, n: 0},
		}},
		decided: &decisions{}, enqueued: map[int]certainty{1: yes, 2: yes}, reports: map[int]certainty{}, marks: map[int]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1},
		began: map[int]time.Time{}, done: map[int]time.Time{}, rest: at(100), minutes: 1, ended: true, dialect: "mssql", second: []int64{15},
		tasks: []taskRow{
			{id: 11, process: 2, number: 1, wave: 1, status: "Succeeded", attempt: 1, maxAttempts: 1}, {id: 12, process: 2, number: 2, wave: 1, status: "Succeeded", attempt: 1, maxAttempts: 1},
			{id: 13, process: 2, number: 3, wave: 2, status: "Succeeded", attempt: 1, maxAttempts: 1}, {id: 14, process: 2, number: 4, wave: 2, status: "Succeeded", attempt: 1, maxAttempts: 2},
			{id: 15, process: 3, number: 5, wave: 1, status: "Succeeded", attempt: 1, maxAttempts: 1}, {id: 16, process: 1, number: ofRound, wave: 1, status: "Succeeded", attempt: 1, maxAttempts: 1},
		},
		processes: []processRow{{id: 1, name: "default", status: "Open"}, {id: 2, name: "p1", status: "Succeeded"}, {id: 3, name: "p2", status: "Succeeded"}, {id: 4, name: "s0 2026", status: "Succeeded"}},
		firings:   []firing{{name: "s0", due: 60, status: "Succeeded", process: 4, task: 20}, {name: "s0", due: 120, status: "Skipped"}},
	}
	for i := range h.steps {
		h.began[i], h.done[i], h.reports[i] = at(0), at(0.1), yes
	}
	h.began[3] = at(10)
	h.runs = runs(1, 1, 2, 2, 1, 3, 5, 3, 4, 3, 4, 5, 4, 5, 6, ofHolding+4, 6, 7, ofHolding+8, 11, 12, ofRound, 20, 21)
	for _, t := range h.tasks {
		h.logs = append(h.logs, logRow{id: t.id, task: t.id, attempt: 1, outcome: "Succeeded"})
	}
	return h
}

// runs reads triples: a task, and the seconds in which it begins and ends.
func runs(triples ...float64) []run {
	var out []run
	for i := 0; i < len(triples); i += 3 {
		from, to := triples[i+1], triples[i+2]
		out = append(out, run{task: int(triples[i]), session: uint64(100 + i), begin: at(from), end: at(to), from: int(10*from) + 1, to: int(10 * to)})
	}
	return out
}

// TestChecker breaks each rule once, and the checker must notice.
func TestChecker(t *testing.T) {
	require.Empty(t, check(good()))
	queued := good() // thirteen minutes, in seven of which the only worker runs what a schedule has queued
	queued.minutes, queued.runs = 13, append(queued.runs, runs(ofSchedule, 101, 311, ofSchedule, 312, 522)...)
	queued.tasks = append(queued.tasks, taskRow{id: 20, number: ofSchedule, status: "Succeeded", attempt: 1, maxAttempts: 1})
	queued.logs = append(queued.logs, logRow{task: 20, outcome: "Succeeded"}, logRow{task: 20, outcome: "Succeeded"})
	require.Empty(t, check(queued))
	mine := func(h *history, n int) *task { return &h.steps[0].process.tasks[n-1] }
	late := good() // a crash before the task ended the dispatcher, and then lack of space the next one
	mine(late, 4).timeout, late.runs[4].end, late.struck = 4, at(95), []time.Time{at(2), at(61)}
	require.Empty(t, check(late))
	full := good() // a call's task, which must end with an error, found no space for undo (seed 75742)
	full.tasks = append(full.tasks, taskRow{id: 30, process: 1, status: "Failed", attempt: 1, maxAttempts: 1, verdict: 20035})
	full.logs = append(full.logs, logRow{task: 30, outcome: "Failed", errorNumber: 30036, message: "ORA-30036"})
	require.Empty(t, check(full))
	cases := []struct {
		rule  string // part of what the checker says
		wrong func(h *history)
	}{
		{"leave open", func(h *history) { h.open = []sandbox.Left{{Unit: "NextTask", Table: "Tasks", Path: true}} }},
		{"ended by a panic", func(h *history) { h.panics = 1 }},
		{"trouble: what", func(h *history) { h.trouble = []string{"what"} }},
		{"unfinished long after", func(h *history) { h.ended = false }},
		{"took 9 minutes", func(h *history) { h.minutes = 9 }},
		{"took 20 minutes", func(h *history) {
			h.minutes, h.runs = 20, append(h.runs, runs(ofSchedule, 101, 311, ofSchedule, 150, 522)...)
		}},
		{"left behind: a session", func(h *history) { h.left = []string{"a session"} }},
		{"task 1 ran twice at once", func(h *history) {
			h.runs = append(h.runs, run{task: 1, begin: at(1.5), end: at(3), from: 16, to: 30})
			h.logs = append(h.logs, logRow{task: 11, outcome: "Succeeded"})
		}},
		{"task 1 ran 1 times, and the log knows 0", func(h *history) { h.logs = h.logs[1:] }},
		{"task 3 was committed, and is there 0 times", func(h *history) { h.tasks = append(h.tasks[:2:2], h.tasks[3:]...) }},
		{"task 3 was committed, and is there 2 times", func(h *history) { h.tasks = append(h.tasks, h.tasks[2]) }},
		{"task 5 was rolled back, and is there", func(h *history) { h.enqueued[2] = no }},
		{"task 6 was rolled back, and is there", func(h *history) { h.marks[6] = 1 }},
		{"task 5 is there 2 times", func(h *history) { h.enqueued[2] = unknown; h.tasks = append(h.tasks, h.tasks[4]) }},
		{"was never asked for", func(h *history) { h.tasks[0].number = 77 }},
		{"task 1 is Running at the end", func(h *history) { h.tasks[0].status = "Running" }},
		{"task 1 had 2 attempts, and 1 are the most", func(h *history) { h.tasks[0].attempt = 2 }},
		{"runs at the end, the log says", func(h *history) { h.logs[0].outcome = "Running" }},
		{"is Failed, and the log knows no error", func(h *history) { h.logs[0].outcome = "Failed" }},
		{"task 3 of wave 2 ran before task 1 of wave 1 had finished", func(h *history) { h.runs[0].to, h.runs[0].end = 45, at(4.5) }},
		{"task 3 of wave 2 ran before task 5 of wave 1 had finished", func(h *history) {
			h.steps[1].process.into, h.steps[1].process.second = 1, false
			h.second, h.runs[2].to, h.runs[2].end = nil, 45, at(4.5)
		}},
		{"transactional task 4 succeeded, and has 2 effects", func(h *history) { h.marks[4] = 2 }},
		{"transactional task 4 is Failed, and has 1 effects", func(h *history) { h.tasks[3].status = "Failed" }},
		{"task 1 succeeded without effect", func(h *history) { h.marks[1] = 0 }},
		{"task 1 ran 1 times, and has 2 effects", func(h *history) { h.marks[1] = 2 }},
		{"2 tasks ran at once when task 2 began, and there were 1 workers", func(h *history) {
			h.workers = 1
			h.runs[1].from, h.runs[1].begin = 12, at(1.2)
		}},
		{"2 tasks of process 1 ran at once, and it allows 1", func(h *history) {
			h.steps[0].process.maxParallel = 1
			h.runs[1].from = 12
		}},
		{"held the resource", func(h *history) {
			mine(h, 1).resource, mine(h, 1).exclusive = true, true
			mine(h, 2).resource = true
			h.runs[1].from = 12
		}},
		{"2 tasks, 1 of them exclusive, held the resource", func(h *history) { h.runs = append(h.runs, runs(ofHolding+3, 6.5, 6.9)...) }},
		{"process p1 halts on error, and is Succeeded", func(h *history) { h.tasks[2].status = "Failed"; h.marks[3] = 0 }},
		{"process p1 has 1 running tasks at the end", func(h *history) { h.processes[1].running = 1 }},
		{"process p1 is Open at the end", func(h *history) { h.processes[1].status = "Open" }},
		{"process e is Open at the end", func(h *history) { h.processes = append(h.processes, processRow{id: 5, name: "e", status: "Open"}) }},
		{"process s0 2026 is Open at the end", func(h *history) { h.processes[3].status = "Open" }},
		{"task 2 began before task 1, which has the same key, had ended", func(h *history) {
			mine(h, 1).key, mine(h, 2).key = 1, 1
			h.runs[1].from = 12
		}},
		{"task 5 is not there, and no other has its key", func(h *history) {
			h.steps[1].process.tasks[0].key = 1
			h.tasks = append(h.tasks[:4:4], h.tasks[5])
		}},
		{"task 5 was skipped, and no other has its key", func(h *history) { h.tasks[4].status = "Skipped" }},
		{"task 1 has 1 failures and 0 orphans, and the log has 0 and 0", func(h *history) { h.tasks[0].failures = 1 }},
		{"task 1 is an orphan, and nothing has killed its worker", func(h *history) { h.tasks[0].orphans = 1; h.logs[0].outcome = "Orphaned" }},
		{"task 1 could not begin, and the server had no trouble", func(h *history) { h.logs[0].outcome = "Outage" }},
		{"successor was started 2 times", func(h *history) { h.tasks = append(h.tasks, h.tasks[5]) }},
		{"successor was not started", func(h *history) { h.tasks = h.tasks[:5] }},
		{"schedule s0 fired 60 after 120", func(h *history) { h.firings[0], h.firings[1] = h.firings[1], h.firings[0] }},
		{"schedule s0: 180 follows 60", func(h *history) { h.firings[1].due = 180 }},
		{"at 120 is Waiting at the end", func(h *history) { h.firings[1].status = "Waiting" }},
		{"at 120 has no process", func(h *history) { h.firings[1].status = "Succeeded" }},
		{"has fired 1 times, and made 2 processes", func(h *history) {
			h.processes = append(h.processes, processRow{id: 5, name: "s0 2027", status: "Succeeded"})
		}},
		{"the second user sees the tasks [14 15]", func(h *history) { h.second = []int64{14, 15} }},
		{"the second user sees the tasks []", func(h *history) { h.second = []int64{} }},
		{"began after the scheduler was stopped", func(h *history) { h.order(stop, 0, 0.5) }},
		{"task 3 began after it was cancelled", func(h *history) { h.order(cancelTask, 3, 0.5) }},
		{"task 4 began after it was cancelled", func(h *history) { h.order(cancelAll, 1, 0.5) }},
		{"task 3 ran although task 1 of an earlier wave is Failed", func(h *history) { h.tasks[0].status = "Failed" }},
		{"task 1 ran for 1m30s", func(h *history) { mine(h, 1).timeout = 4; h.runs[0].end = at(91) }},
		{"task 4 ran for 1m30s", func(h *history) {
			mine(h, 4).timeout, h.runs[4].end, h.struck = 4, at(95), []time.Time{at(2), at(300)}
		}},
		{"ended with error 6512, not 20035", func(h *history) {
			h.tasks[0].verdict = 20035
			h.logs[0].errorNumber = 6512
		}},
		{"session 2004 got the resource before session 2008", func(h *history) { h.began[3], h.began[2] = at(0), at(5) }},
		{"began before task 5 of process 2, which had fewer running tasks", func(h *history) {
			h.steps[7] = step{order: policy, n: 2}
			h.steps[1].process.second, h.second, h.firings = false, nil, nil
			h.processes = h.processes[:3]
			h.runs = runs(1, 3, 9, 2, 4, 9, 5, 20, 21, 3, 10, 11, 4, 10, 11)
			h.workers = 3
			mine(h, 3).wave, mine(h, 4).wave = 1, 1
			h.runs[3], h.runs[4] = run{task: 3, begin: at(5), end: at(9), from: 51, to: 90}, run{task: 4, begin: at(6), end: at(9), from: 61, to: 90}
			h.workers = 4
		}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			h := good()
			c.wrong(h)
			require.Contains(t, strings.Join(check(h), "\n"), c.rule)
		})
	}
}

// TestCheckerAllows: what dbsched does not promise breaks no rule: a lease that ran out holds nothing, and without a dispatcher nothing ends a task.
func TestCheckerAllows(t *testing.T) {
	lease := good()
	lease.runs = append(lease.runs, runs(ofHolding+3, 6.5, 6.9)...)
	lease.alarms = []string{"StaleResource: The resource [r] was taken from \"sa\" (request 4) before it was released: its lease ran out."}
	require.Empty(t, check(lease))
	reader := good() // two readers: the first to request it looked a little later
	reader.began[3], reader.began[2] = at(0), at(5)
	second := slices.IndexFunc(reader.runs, func(r run) bool { return r.task == ofHolding+8 })
	reader.runs[second].begin = at(6.9)
	require.Empty(t, check(reader))
	reader.runs[second].begin = at(7.1)
	require.NotEmpty(t, check(reader))
	outbound := good()
	outbound.left = []string{"SO //dbsched/Dispatch until 2026-01-06T09:00:00"}
	require.NotEmpty(t, check(outbound))
	outbound.decided = &decisions{faults: []string{"full"}}
	require.Empty(t, check(outbound))
	killed := good()
	killed.steps[0].process.tasks[2].timeout, killed.runs[3].end = 4, at(91)
	require.NotEmpty(t, check(killed))
	killed.decided = &decisions{faults: []string{"kill"}}
	require.NotEmpty(t, check(killed))
	killed.seen = []string{"[[Dispatch 11 NOTIFIED] [Lane_01 11 INACTIVE]]"}
	require.Empty(t, check(killed))
}

// order adds an order that was carried out at once.
func (h *history) order(o order, n int, seconds float64) {
	i := len(h.steps)
	h.steps = append(h.steps, step{order: o, n: n})
	h.began[i], h.done[i], h.reports[i] = at(seconds), at(seconds), yes
}
