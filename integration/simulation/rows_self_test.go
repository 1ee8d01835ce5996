package simulation

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stamp formats a time as a photo has it.
func stamp(seconds float64) string { return at(seconds).Format("2006-01-02T15:04:05.000") }

// rowOf returns a row of a table: pairs of columns and values.
func rowOf(name string, pairs ...string) line {
	for _, t := range photographed {
		if t.name == name {
			l := line{t, make([]string, len(t.columns))}
			for i := 0; i < len(pairs); i += 2 {
				l.set(pairs[i], pairs[i+1])
			}
			return l
		}
	}
	panic(name)
}

func (l line) set(column, value string) { l.values[l.table.place[column]] = value }

// pictured returns the good history with a photo of some of it: task 1 has succeeded and task 2 runs, both in lane 1; task 3 of the second wave
// is pending, task 4 waits for its retry, and a session holds the resource.
func pictured() *history {
	h := good()
	f := &photo{at: at(5), all: map[string][]line{
		"Tasks": {
			rowOf("Tasks", "TaskId", "11", "ProcessId", "2", "ExecutionOrder", "1", "Rank", "-100", "Status", "Succeeded", "MaxAttempts", "1", "Attempt", "1", "EnqueuedAt", stamp(0.1),
				"LogId", "11", "StartedAt", stamp(1), "FinishedAt", stamp(2), "SqlText", "EXEC dbo.Work 1, 0, 0", "OnOrphan", "Retry"),
			rowOf("Tasks", "TaskId", "12", "ProcessId", "2", "ExecutionOrder", "1", "Rank", "-90", "Priority", "-1", "Status", "Running", "MaxAttempts", "1", "Attempt", "1", "EnqueuedAt", stamp(0.1),
				"LogId", "12", "StartedAt", stamp(2), "SqlText", "EXEC dbo.Work 2, 0, 0", "LaneId", "1", "WorkerId", "w", "TimeoutSeconds", "9", "StopAt", stamp(11)),
			rowOf("Tasks", "TaskId", "13", "ProcessId", "2", "ExecutionOrder", "2", "Rank", "100", "Status", "Pending", "EnqueuedAt", stamp(0.1), "SqlText", "EXEC dbo.Work 3, 0, 0"),
			rowOf("Tasks", "TaskId", "14", "ProcessId", "2", "ExecutionOrder", "2", "Rank", "100", "Status", "Waiting", "WaitReason", "Retry", "DueAt", stamp(9), "MaxAttempts", "3", "Attempt", "1",
				"Failures", "2", "RetryDelaySeconds", "3", "EnqueuedAt", stamp(0.1), "LogId", "10", "StartedAt", stamp(0.5), "SqlText", "EXEC dbo.Work 4, 0, 0"),
		},
		"Logs": {
			rowOf("Logs", "LogId", "10", "TaskId", "14", "ProcessId", "2", "ExecutionOrder", "2", "Attempt", "1", "LaneId", "2", "WorkerId", "v", "SessionId", "71", "StartedAt", stamp(0.5), "EndedAt", stamp(3),
				"Outcome", "Failed", "SqlText", "EXEC dbo.Work 4, 0, 0"),
			rowOf("Logs", "LogId", "11", "TaskId", "11", "ProcessId", "2", "ExecutionOrder", "1", "Attempt", "1", "LaneId", "1", "WorkerId", "w", "SessionId", "70", "StartedAt", stamp(1), "EndedAt", stamp(2),
				"Outcome", "Succeeded", "SqlText", "EXEC dbo.Work 1, 0, 0"),
			rowOf("Logs", "LogId", "12", "TaskId", "12", "ProcessId", "2", "ExecutionOrder", "1", "Attempt", "1", "LaneId", "1", "WorkerId", "w", "SessionId", "70", "StartedAt", stamp(2),
				"SqlText", "EXEC dbo.Work 2, 0, 0"),
		},
		"Lanes": {
			rowOf("Lanes", "LaneId", "1", "State", "Busy", "StateAt", stamp(1), "WorkerId", "w", "SessionId", "70", "EnteredAt", stamp(0.9)),
			rowOf("Lanes", "LaneId", "2", "State", "Idle", "StateAt", stamp(3)),
		},
		"Processes": {
			rowOf("Processes", "ProcessId", "2", "Name", "p1", "Status", "Closing", "CloseRequested", "1", "Running", "1", "HasWork", "1", "WaveOrder", "1", "WaveRank", "-90", "WaveTaskId", "12",
				"LastServedAt", stamp(2), "TasksSucceeded", "1", "CreatedAt", stamp(0.1)),
		},
		"Settings": {rowOf("Settings", "Started", "1", "MaxWorkers", "2", "NextSweepAt", stamp(30), "MaxRetryDelaySeconds", "3600", "MaxOrphans", "3")},
		"ResourceRequests": {
			rowOf("ResourceRequests", "ResourceId", "1", "RequestId", "5", "Status", "Granted", "SessionId", "80", "LeaseSeconds", "30", "GrantedAt", stamp(4), "LeaseUntil", stamp(34)),
			rowOf("ResourceRequests", "ResourceId", "1", "RequestId", "6", "Status", "Waiting", "SessionId", "81"),
		},
	}}
	h.photos = []*photo{f}
	return h
}

// TestRows makes each rule of rows fail once.
func TestRows(t *testing.T) {
	require.Empty(t, check(pictured()))
	cases := []struct {
		rule, table string
		row         int
		column      string
		value       string
	}{
		{"task id 11 is at attempt 2, and the log has 1", "Tasks", 0, "Attempt", "2"},
		{"task id 13 is at attempt 0, and started at", "Tasks", 2, "StartedAt", stamp(1)},
		{"attempt 1 of task id 11 is called 2", "Logs", 1, "Attempt", "2"},
		{"ExecutionOrder of task id 11", "Logs", 1, "ExecutionOrder", "3"},
		{"SqlText of task id 11", "Logs", 1, "SqlText", "EXEC dbo.Work 2, 0, 0"},
		{"attempt 1 of task id 11 began at", "Logs", 1, "EndedAt", stamp(0.5)},
		{"begun at", "Logs", 1, "StartedAt", stamp(1.5)},
		{"task id 12 is Running in lane \"\"", "Tasks", 1, "LaneId", ""},
		{"task id 12 is Running, and its last attempt", "Logs", 2, "Outcome", "Failed"},
		{"task id 11 is Succeeded, and shall be ended", "Tasks", 0, "StopAt", stamp(11)},
		{"task id 12 runs in lane 1, and the log says 2", "Logs", 2, "LaneId", "2"},
		{"task id 12 is Stopping, and nobody looks again", "Tasks", 1, "StopAt", ""},
		{"its end was tried 1 times", "Tasks", 1, "StopTries", "1"},
		{"its timeout is \"9\"", "Tasks", 1, "StopAt", stamp(12)},
		{"which has another worker", "Lanes", 0, "State", "Idle"},
		{"because of \"\"", "Tasks", 3, "WaitReason", ""},
		{"task id 13 is Pending because of \"\", until", "Tasks", 2, "DueAt", stamp(9)},
		{"task id 11 is Succeeded, and finished at \"\"", "Tasks", 0, "FinishedAt", ""},
		{"task id 13 is a duplicate of 11", "Tasks", 2, "DuplicateOf", "11"},
		{"EnqueuedAt is", "Tasks", 0, "EnqueuedAt", stamp(14)},
		{"and its last attempt ended at", "Tasks", 0, "FinishedAt", stamp(4)},
		{"task id 11 is Failed after its attempt 1: Succeeded", "Tasks", 0, "Status", "Failed"},
		{"task id 14 is Waiting after its attempt 1: Failed", "Tasks", 3, "Failures", "3"},
		{"is due at", "Tasks", 3, "DueAt", stamp(8)},
		{"counts 2 running tasks, and has 1", "Processes", 0, "Running", "2"},
		{"counts 0 successes", "Processes", 0, "TasksSucceeded", "0"},
		{"counts 1 successes and 1 failures", "Processes", 0, "TasksFailed", "1"},
		{"process p1 is Closing, finished at", "Processes", 0, "FinishedAt", stamp(4)},
		{"nobody has closed it", "Processes", 0, "CloseRequested", "0"},
		{"was last served at", "Processes", 0, "LastServedAt", stamp(1)},
		{"is at wave 2, and task id 12 of wave 1 is Running", "Processes", 0, "WaveOrder", "2"},
		{"is at task id 12, wave 1, rank -91", "Processes", 0, "WaveRank", "-91"},
		{"a worker has lane and session", "Logs", 1, "SessionId", "77"},
		{"lane 1 has worker \"w\", session \"\"", "Lanes", 0, "SessionId", ""},
		{"lane 1 has session 77", "Lanes", 0, "SessionId", "77"},
		{"no attempt of its worker began then", "Lanes", 0, "StateAt", stamp(0.9)},
		{"lane 2 is Idle since", "Lanes", 1, "StateAt", stamp(2.9)},
		{"entered it at", "Lanes", 0, "EnteredAt", stamp(1.5)},
		{"1 lanes are busy, and there are 0 workers", "Settings", 0, "MaxWorkers", "0"},
		{"the next sweep is due", "Settings", 0, "NextSweepAt", stamp(99)},
		{"tasks 13 and 14 have the ranks", "Tasks", 3, "Rank", "101"},
		{"request 5 is Granted, and was granted at \"\"", "ResourceRequests", 0, "GrantedAt", ""},
		{"its lease of 30 s ends", "ResourceRequests", 0, "LeaseUntil", stamp(33)},
		{"request 5 has a resource, and request 4 waits for it", "ResourceRequests", 1, "RequestId", "4"},
		{"task id 11 is Succeeded, and holds a resource", "ResourceRequests", 0, "TaskId", "11"},
		{"waits for a resource, and is in no line", "Tasks", 3, "WaitReason", "Resource"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			h := pictured()
			h.photos[0].all[c.table][c.row].set(c.column, c.value)
			if strings.Contains(c.rule, "is Stopping, and nobody") {
				h.photos[0].all["Tasks"][1].set("Status", "Stopping")
			}
			require.Contains(t, strings.Join(check(h), "\n"), c.rule)
		})
	}
}

// TestAttempts makes each rule of the log's attempts fail once.
func TestAttempts(t *testing.T) {
	attempted := func() *history {
		h := good()
		f := &photo{at: at(100), settled: true, all: map[string][]line{}}
		for i := range 5 {
			r := &h.runs[i]
			r.id = 70
			f.all["Logs"] = append(f.all["Logs"], rowOf("Logs", "LogId", string(rune('1'+i)), "TaskId", string([]byte{'1', byte('0' + h.runs[i].task)}), "ProcessId", "2", "Attempt", "1", "LaneId", "1", "WorkerId", "w",
				"SessionId", "70", "StartedAt", r.begin.Format("2006-01-02T15:04:05.000"), "EndedAt", r.end.Format("2006-01-02T15:04:05.000"), "Outcome", "Succeeded"))
		}
		h.photos = []*photo{f}
		return h
	}
	rest := func(h *history) string { return strings.Join(check(h), "\n") }
	require.NotContains(t, rest(attempted()), "and its attempts were")
	h := attempted()
	h.runs[0].id = 71
	require.Contains(t, rest(h), "task 1 ran from 09:00:01.000 to 09:00:02.000 in session 71")
	h = attempted()
	h.runs[0].begin = h.runs[0].begin.Add(begins)
	require.Contains(t, rest(h), "task 1 ran from 09:00:03.000")
	h = attempted()
	h.steps[0].process.tasks[0].delay = 5
	require.Contains(t, rest(h), "task 1 began at")
	h = attempted()
	again := rowOf("Logs")
	copy(again.values, h.photos[0].all["Logs"][0].values)
	again.set("LogId", "9")
	again.set("StartedAt", stamp(2+1.9))
	h.photos[0].all["Logs"] = append(h.photos[0].all["Logs"], again)
	h.photos[0].all["Logs"][0].set("Outcome", "Failed")
	h.steps[0].process.tasks[0].retryDelay = 2
	require.Contains(t, rest(h), "attempt 2 of task 1 began 1.9s after the one before it, and the pause is 2s")
	h = attempted()
	h.steps = h.steps[:7]
	h.steps[0].process.tasks[1].priority = 1
	h.done[0] = at(-1)
	require.NotContains(t, rest(h), "which has priority")
	h.done[0] = at(-9)
	require.Contains(t, rest(h), "task 1 began before task 2, which has priority 1")
}

// TestPauses: they double from attempt to attempt.
func TestPauses(t *testing.T) {
	for failures, want := range []int{3, 3, 6, 12, 24, 30, 30} {
		require.Equal(t, time.Duration(want)*time.Second, pauseOf(3, int64(failures), 30))
	}
	require.Equal(t, int64(7), tries(89*time.Second, 0))
	require.Equal(t, int64(7), tries(89*time.Second, 1100*time.Millisecond))
	require.Equal(t, int64(3), tries(5*time.Second, 0))
	require.Equal(t, time.Hour, pauseOf(1, 99, 3600))
	require.Equal(t, -1, decimals("-100", "-99"))
	require.Equal(t, -1, decimals("-1", "0"))
	require.Equal(t, 1, decimals("100", "99"))
	require.Equal(t, 0, decimals("7", "7"))
}
