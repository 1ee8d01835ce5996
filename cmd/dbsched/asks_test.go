package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// TestInterruptedQuestion: Ctrl-C ends a question at once, and nothing is changed.
func TestInterruptedQuestion(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, typed := io.Pipe()
	defer typed.Close()
	cancel()
	r := run{terminal: 80, stdin: in, ctx: ctx}
	r.do(t, "purge", "--days=0", dsn)
	require.Equal(t, cli.ExitInterrupted, r.code)
	require.Contains(t, r.err, "[y/N] \ndbsched: interrupted\n")
	require.Empty(t, r.scheduler.changes())
}

// TestNameOfSeveral: what several processes could be meant by is not cancelled; a name alone is shown with its id.
func TestNameOfSeveral(t *testing.T) {
	two := []dialects.Process{{ID: 28, Name: "load"}, {ID: 29, Name: "load"}}
	for _, command := range []string{"cancel", "retry"} {
		r := run{scheduler: fakeScheduler{processes: two}}
		r.do(t, command, "process", "LOAD", "--yes", dsn) // most databases compare so
		require.Equal(t, cli.ExitUsage, r.code)
		require.Contains(t, r.err, `2 processes are named "LOAD": 28, 29. Use an id`)
		require.Empty(t, r.scheduler.changes())

		r = run{scheduler: fakeScheduler{processes: two[:1]}, terminal: 80, in: "n\n"}
		r.do(t, command, "process", "load", dsn)
		require.Contains(t, r.err, "process 28 (load)")
		require.Empty(t, r.scheduler.changes())
	}
}

// TestSentButNotPrinted: a script that cannot read the id learns that the task exists.
func TestSentButNotPrinted(t *testing.T) {
	r := run{full: true}
	r.do(t, "exec", "select 1", "--order=1", dsn)
	require.Equal(t, cli.ExitPartly, r.code)
	require.Regexp(t, `task \d+ was sent and is not undone`, r.err)
}

// TestDefiningARoundAgain asks before it discards reports.
func TestDefiningARoundAgain(t *testing.T) {
	define := []string{"round", "define", "q", "--member=a", "--start-sql=select 1", dsn}
	r := run{scheduler: fakeScheduler{rounds: []dialects.Round{{Name: "Q", Succeeded: 1, Failed: 1}}}, terminal: 80, in: "n\n"}
	r.do(t, define...)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "Discard 2 reports of round Q on fakehost as u?")
	require.Empty(t, r.scheduler.changes())
	r = run{scheduler: fakeScheduler{rounds: []dialects.Round{{Name: "Q"}}}}
	r.do(t, define...)
	require.Equal(t, cli.ExitDone, r.code, r.err)
}

// TestScheduleIsNoProcess: whoever takes a schedule for a process is told which one its last is.
func TestScheduleIsNoProcess(t *testing.T) {
	r := run{scheduler: fakeScheduler{firings: []dialects.Firing{{ProcessID: 3}, {ProcessID: 7}, {}}}}
	r.do(t, "timeline", "missing", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, `"missing" is a schedule. Its last process is 7`)
}
