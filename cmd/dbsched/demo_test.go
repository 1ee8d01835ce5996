package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// demoLogs returns the log that the demo's tasks leave on three workers that never idle.
func demoLogs(d dialects.Dialect) ([]dialects.NewTask, []dialects.LogEntry) {
	tasks := demoTasks(d, 7)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	var logs []dialects.LogEntry
	for _, w := range demoWaves {
		end := at.Add(w.lasts)
		for lane := range w.tasks {
			id := int64(len(logs) + 1)
			logs = append(logs, dialects.LogEntry{
				ID: id, TaskID: id, ProcessID: 7, Order: w.order, Attempt: 1, SQL: d.Sleep(w.lasts), Lane: lane + 1, SessionID: 53 + lane,
				StartedAt: at, FinishedAt: &end, Outcome: "Succeeded",
			})
		}
		at = end.Add(3 * time.Millisecond)
	}
	return tasks, logs
}

func TestCheckWaves(t *testing.T) {
	early := func(e *dialects.LogEntry, by time.Duration) { e.StartedAt = e.StartedAt.Add(-by) }
	for name, c := range map[string]struct {
		change  func([]dialects.LogEntry) []dialects.LogEntry
		workers int
		want    []string
	}{
		"as it should be": {func(l []dialects.LogEntry) []dialects.LogEntry { return l }, 3, nil},
		"overlap": {func(l []dialects.LogEntry) []dialects.LogEntry { early(&l[5], time.Second); return l }, 3,
			[]string{"order 300 began 997ms before order 200 had ended"}},
		"overlap with a wave further down": {func(l []dialects.LogEntry) []dialects.LogEntry {
			early(&l[8], 30*time.Second)
			return l
		}, 3, []string{"order 500 began 29.997s before order 400 had ended"}},
		"apart": {func(l []dialects.LogEntry) []dialects.LogEntry {
			l[1].StartedAt = l[1].StartedAt.Add(7 * time.Second)
			return l
		}, 3, []string{"the tasks of order 100 started 7s apart"}},
		"apart, but only one worker": {func(l []dialects.LogEntry) []dialects.LogEntry {
			l[1].StartedAt = l[1].StartedAt.Add(7 * time.Second)
			return l
		}, 1, nil},
		"missing": {func(l []dialects.LogEntry) []dialects.LogEntry { return l[:8] }, 3, []string{"order 500 ran 0 tasks instead of 1"}},
		"failed": {func(l []dialects.LogEntry) []dialects.LogEntry {
			l[8].Outcome, l[8].ErrorNumber, l[8].ErrorMessage = "Failed", 8134, "Divide by zero error encountered."
			return l
		}, 3, []string{`task 9 ended "Failed" 8134: Divide by zero error encountered.`}},
	} {
		t.Run(name, func(t *testing.T) {
			tasks, logs := demoLogs(&fakeDialect{})
			require.Equal(t, c.want, checkWaves(tasks, c.change(logs), c.workers))
		})
	}
}

type fakeServer struct {
	closed bool
	wait   chan error
}

func (*fakeServer) DSN() string    { return "fake://sa:pw@127.0.0.1:1?database=d" }
func (s *fakeServer) Wait() error  { return <-s.wait }
func (s *fakeServer) Close() error { s.closed = true; return nil }

func TestDemo(t *testing.T) {
	var d fakeDialect
	_, logs := demoLogs(&d)
	server := &fakeServer{}
	for _, format := range []string{"table", "json"} {
		r := run{scheduler: fakeScheduler{logs: logs, waits: 2}, demo: server}
		r.do(t, "demo", "--utc", "-o", format)
		require.Zero(t, r.code, r.err)
		golden(t, "demo."+format, r.out)
		require.True(t, server.closed)
		require.Equal(t, []string{"install 3 false 10s Drain", "SetWorkers MaxWorkers=3", "StartScheduler", "create demo"}, r.scheduler.calls[:4])
		require.Contains(t, r.scheduler.calls, "CloseProcess ProcessId=7")
	}
}

func TestDemoShowsProgressOnATerminal(t *testing.T) {
	var d fakeDialect
	_, logs := demoLogs(&d)
	r := run{scheduler: fakeScheduler{logs: logs, waits: 1}, demo: &fakeServer{}, terminal: 44}
	r.do(t, "demo")
	require.Contains(t, r.err, "\r\033[K[##############################] 9 of 9 ta…")
	require.True(t, strings.HasSuffix(r.err, "\r\033[K"), "the line of progress stayed")
	require.NotContains(t, r.out, "\033")
}

func TestDemoSaysNo(t *testing.T) {
	var d fakeDialect
	_, logs := demoLogs(&d)
	r := run{scheduler: fakeScheduler{logs: logs[:8]}, demo: &fakeServer{}}
	r.do(t, "demo")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.out, "every wave waited for the one before: NO\n  - order 500 ran 0 tasks instead of 1\n")
}

func TestSandboxPrintsOneLineAndServes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := run{ctx: ctx, demo: &fakeServer{wait: make(chan error)}}
	r.do(t, "sandbox")
	require.Zero(t, r.code, r.err)
	require.Equal(t, "fake://sa:pw@127.0.0.1:1?database=d\n", r.out)
	require.Contains(t, r.err, "not for production")
	require.NotContains(t, r.err, "warning")

	wait := make(chan error, 1)
	wait <- errors.New("broken")
	r = run{demo: &fakeServer{wait: wait}}
	r.do(t, "sandbox")
	require.Equal(t, 4, r.code)
	require.Contains(t, r.err, "dbsched: broken\n")
}

// TestSandboxForOthers: who lets other machines in is warned, and a password is not in the list of processes.
func TestSandboxForOthers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for address, warned := range map[string]bool{"0.0.0.0:0": true, ":1433": true, "[::]:0": true, "10.1.2.3:0": true, "localhost:0": false, "[::1]:0": false} {
		r := run{ctx: ctx, demo: &fakeServer{wait: make(chan error)}}
		r.do(t, "sandbox", "--listen="+address)
		require.Equal(t, warned, strings.Contains(r.err, "dbsched: warning: other machines reach "+address), r.err)
	}
	r := run{demo: &fakeServer{wait: make(chan error)}}
	r.do(t, "sandbox", "--password=hush")
	require.Equal(t, 2, r.code)
	require.Contains(t, r.err, "unknown flag: --password\n")
	r = run{ctx: ctx, demo: &fakeServer{wait: make(chan error)}, env: map[string]string{"DBSCHED_SANDBOX_PASSWORD": "hush"}}
	r.do(t, "sandbox")
	require.Equal(t, "hush", r.sandbox.Password)
}
