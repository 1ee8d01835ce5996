package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// planFile writes a plan of three tasks in two waves, or text.
func planFile(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		text = "process: nightly\nwaves:\n- tasks: [EXEC a, EXEC b]\n- tasks: [EXEC c]\n"
	}
	path := filepath.Join(t.TempDir(), "plan.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func ended(status string, succeeded, failed int64) dialects.Process {
	at := time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)
	return dialects.Process{ID: 7, Name: "nightly", Status: status, Succeeded: succeeded, Failed: failed, FinishedAt: &at}
}

func TestRunUsage(t *testing.T) {
	bad := planFile(t, "process: p\nwaves:\n- tasks:\n  - {sql: x, tries: 3}\n  - {timeout: 5}\n")
	for want, args := range map[string][]string{
		"no plan given. 'dbsched run --example' prints an example":                         {"run", dsn},
		"--example needs no plan":                                                          {"run", "--example", bad},
		"--timeout needs --wait":                                                           {"run", planFile(t, ""), "--timeout=1m", dsn},
		"--timeout is 1.5s; it must be whole seconds, 0 or more":                           {"run", planFile(t, ""), "--wait", "--timeout=1500ms", dsn},
		"no such file or directory":                                                        {"run", bad + ".not", dsn},
		bad + ": 3 problems; nothing was sent:\n  " + bad + `:4:14: unknown key "tries"`:   {"run", bad, dsn},
		bad + ":5:5: a task needs sql or file\n  " + bad + ":5:15: timeout is 5 without":   {"run", bad, dsn, "--dry-run"},
		"wrong number of arguments. Usage: dbsched cancel task|process ID|NAME... [flags]": {"cancel", "task", dsn},
		`"17" is not valid. Write task or process, then the ids`:                           {"cancel", "17", "18", dsn},
		`"-1" is not the number or name of a task`:                                         {"retry", "task", "--", "-1"},
		"Cancel tasks 4, 5 on fakehost as u? No terminal":                                  {"cancel", "task", "4", "5", dsn},
		`unknown command "foo" for "dbsched resource"`:                                     {"resource", "foo", dsn},
		"--capacity is 0; it must be from 1 to 1000000":                                    {"resource", "define", "r", "--capacity=0", dsn},
		"the name is empty":                                {"resource", "define", " ", dsn},
		`"r" is not the number of a request`:               {"resource", "release", "r", dsn},
		"no --member given":                                {"round", "define", "r", "--start-job=j", dsn},
		"name what comes next: --start-job or --start-sql": {"round", "define", "r", "--member=a", dsn},
		"--order and --process need --start-sql":           {"round", "define", "r", "--member=a", "--start-job=j", "--order=2", dsn},
		"--member a appears twice":                         {"round", "define", "r", "--member=a", "--member=a", "--start-sql=x", dsn},
		"--max-age is -1s; it must be whole seconds":       {"round", "define", "r", "--member=a", "--start-sql=x", "--max-age=-1s", dsn},
		"Remove round r on fakehost as u? No terminal":     {"round", "remove", "r", dsn},
		"End request 12 on fakehost as u?":                 {"resource", "release", "12", dsn},
	} {
		t.Run(want, func(t *testing.T) {
			var r run
			r.do(t, args...)
			require.Equal(t, cli.ExitUsage, r.code, r.err)
			require.Contains(t, r.err, want)
			require.Empty(t, r.out)
			for _, c := range r.scheduler.calls {
				require.Equal(t, "close", c, "something was sent")
			}
		})
	}
}

func TestRunSubmits(t *testing.T) {
	for _, format := range []string{"table", "json"} {
		var r run
		r.do(t, "run", planFile(t, ""), dsn, "-o", format)
		require.Equal(t, cli.ExitDone, r.code, r.err)
		require.Contains(t, r.scheduler.calls[0], "submit {Name:nightly Priority:0 Weight:0 MaxParallel:0 OnError:} [{SQL:EXEC a Name: Order:100 ")
		require.Equal(t, []string{"options", "status", "close"}, r.scheduler.calls[1:])
		golden(t, "run."+format, r.out)
		require.Empty(t, r.err)
	}
}

func TestRunWaits(t *testing.T) {
	for _, c := range []struct {
		status, outcome   string
		succeeded, failed int64
		code              int
	}{
		{"Succeeded", "succeeded", 3, 0, cli.ExitDone},
		{"Failed", "failed", 1, 1, cli.ExitNo},
		{"Cancelled", "cancelled", 1, 0, cli.ExitNo},
	} {
		t.Run(c.outcome, func(t *testing.T) {
			r := run{scheduler: fakeScheduler{waits: 2, processes: []dialects.Process{ended(c.status, c.succeeded, c.failed)}, logs: []dialects.LogEntry{
				{TaskID: 2, Order: 100, Attempt: 1, Outcome: "Failed", ErrorNumber: 8134, ErrorMessage: "Divide by zero\nerror."},
			}}}
			r.do(t, "run", planFile(t, ""), "--wait", dsn)
			require.Equal(t, c.code, r.code, r.err)
			golden(t, "run_"+c.outcome+".table", r.out)
			golden(t, "run_"+c.outcome+".stderr", r.err)
			require.Equal(t, []string{"wait 7 5s", "processes", "wait 7 5s", "processes", "wait 7 5s", "processes"}, r.scheduler.calls[3:9])
			r.do(t, "run", planFile(t, ""), "--wait", "-o=json", "-q", dsn)
			golden(t, "run_"+c.outcome+".json", r.out)
			require.Empty(t, r.err)
		})
	}
}

func TestRunWaitsNoLongerThanItMay(t *testing.T) {
	r := run{scheduler: fakeScheduler{waits: 9, processes: []dialects.Process{{ID: 7, Status: "Closing", Unfinished: 2, Succeeded: 1}}}}
	r.do(t, "run", planFile(t, ""), "--wait", "--timeout=7s", dsn)
	require.Equal(t, cli.ExitTimeout, r.code)
	require.Equal(t, "process 7: 3 tasks in 2 waves\ndbsched: process 7 did not end within 7s and continues: 2 of 3 tasks are unfinished\n", r.err)
	require.Contains(t, r.out, "process    7\n")
	require.Contains(t, r.out, "outcome    timeout\n")
	require.Equal(t, 7, r.scheduler.waits, "a slice of five seconds, and the rest")
	require.Equal(t, "wait 7 2s", r.scheduler.calls[5])
}

func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := run{ctx: ctx, scheduler: fakeScheduler{waits: 9, onWait: cancel}}
	r.do(t, "run", planFile(t, ""), "--wait", dsn)
	require.Equal(t, cli.ExitInterrupted, r.code)
	require.Equal(t, "process 7: 3 tasks in 2 waves\ndbsched: interrupted; process 7 continues. To wait again, run 'dbsched wait 7'; to end it, 'dbsched cancel process 7'\n", r.err)
	require.Contains(t, r.out, "outcome    interrupted\n")

	r = run{ctx: ctx, scheduler: fakeScheduler{block: true}}
	r.do(t, "run", planFile(t, ""), dsn)
	require.Equal(t, cli.ExitInterrupted, r.code)
	require.Equal(t, "dbsched: interrupted; nothing was submitted\n", r.err)
	require.Empty(t, r.out)
}

func TestRunRefused(t *testing.T) {
	r := run{scheduler: fakeScheduler{err: &dialects.ServerError{Doing: "ExecAsync", Err: errors.New("Msg 50000")}}}
	r.do(t, "run", planFile(t, ""), "--wait", dsn)
	require.Equal(t, cli.ExitRefused, r.code)
	require.Equal(t, []string{"close"}, r.scheduler.calls[1:], "it does not wait")
}

func TestRunShowsProgress(t *testing.T) {
	order := 200
	r := run{terminal: 70, scheduler: fakeScheduler{waits: 1, processes: []dialects.Process{
		{ID: 7, Status: "Closing", Unfinished: 1, Running: 1, Succeeded: 2, Order: &order},
	}}}
	r.do(t, "run", planFile(t, ""), "--wait", "--timeout=2s", dsn)
	require.Contains(t, r.err, "\r\x1b[K[#############.......] 2 of 3 tasks, wave 2 of 2 (order 200), 1 runn…")
}

func TestRemovedRoundIsThere(t *testing.T) {
	r := run{scheduler: fakeScheduler{rounds: []dialects.Round{{Name: "load"}}}}
	r.do(t, "round", "remove", "nightly", "-y", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, `there is no round "nightly", or you are not allowed to see it`)
	require.Equal(t, []string{"rounds", "close"}, r.scheduler.calls)
}

func TestCancelAndRetryCallEach(t *testing.T) {
	for want, args := range map[string][]string{
		"CancelTask TaskId=5":              {"cancel", "task", "4", "5", "--yes"},
		"CancelProcess ProcessId=8":        {"cancel", "process", "8", "-y"},
		"RetryTask TaskId=5":               {"retry", "task", "4", "5"},
		"RetryProcess ProcessId=42":        {"retry", "process", "nightly load", "-y"}, // by name, with the fake's result
		"DefineResource Name=r Capacity=3": {"resource", "define", "r", "--capacity=3"},
		"DropResource Name=r":              {"resource", "drop", "r"},
		"DefineRound Round=r Members=[a b,c] SuccessorSQL=x ExecutionOrder=2 ProcessId=42 MaxAgeSeconds=14400": {"round", "define", "r", "--member=a", "--member=b,c", "--start-sql=x", "--order=2", "--process=p", "--max-age=4h"},
		"DefineRound Round=r Members=[]": {"round", "remove", "r", "-y"},
		"ReleaseResource RequestId=12":   {"resource", "release", "12", "--yes"},
	} {
		t.Run(want, func(t *testing.T) {
			r := run{scheduler: fakeScheduler{numbers: true, rounds: []dialects.Round{{Name: "r"}}, processes: []dialects.Process{{ID: 8}}}}
			r.do(t, append(args, dsn)...)
			require.Equal(t, cli.ExitDone, r.code, r.err)
			require.True(t, slices.ContainsFunc(r.scheduler.calls, func(call string) bool { return strings.Contains(call, want) }), r.scheduler.calls)
			require.NotEmpty(t, r.err)
			require.Empty(t, r.out)
		})
	}
}

func TestCancelStopsAtTheFirstThatFails(t *testing.T) {
	r := run{scheduler: fakeScheduler{failAt: "CancelTask TaskId=5"}}
	r.do(t, "cancel", "task", "4", "5", "6", "-y", dsn)
	require.Equal(t, cli.ExitPartly, r.code)
	require.Equal(t, "Cancelled 1 task.\ndbsched: stopped at cancel task 5: 1 done, 1 not tried\nrefused\nDone: cancel task 4\n", r.err)
	r = run{scheduler: fakeScheduler{failAt: "CancelTask TaskId=4"}}
	r.do(t, "cancel", "task", "4", "5", "-y", dsn)
	require.Equal(t, cli.ExitRefused, r.code)
	require.Equal(t, []string{"tasks", "CancelTask TaskId=4", "close"}, r.scheduler.calls)
}

func TestRoundReport(t *testing.T) {
	for outcome, code := range map[dialects.RoundOutcome]int{
		dialects.RoundWaiting: cli.ExitDone, dialects.RoundStarted: cli.ExitDone, dialects.RoundReported: cli.ExitDone,
		dialects.RoundFailed: cli.ExitNo, dialects.RoundUnknown: cli.ExitNo,
	} {
		r := run{scheduler: fakeScheduler{outcome: outcome}}
		r.do(t, "round", "report", "load", "Load A", "--failed", dsn)
		require.Equal(t, code, r.code, r.err)
		require.Equal(t, "outcome  "+string(outcome)+"\n", r.out)
		require.Equal(t, "report load Load A false", r.scheduler.calls[0])
	}
}

func TestCancelCounts(t *testing.T) {
	end := time.Now()
	r := run{scheduler: fakeScheduler{tasks: []dialects.Task{{ID: 4, FinishedAt: &end}}}}
	r.do(t, "cancel", "task", "4", "-y", dsn)
	require.Equal(t, "Cancelled 0 tasks; 1 had already ended.\n", r.err)
	r = run{scheduler: fakeScheduler{tasks: []dialects.Task{{ID: 4}}}}
	r.do(t, "cancel", "task", "4", "-y", dsn)
	require.Equal(t, "Cancelled 0 tasks; 1 is still running and will stop.\n", r.err)
}

func TestWait(t *testing.T) {
	for status, code := range map[string]int{"Succeeded": cli.ExitDone, "Failed": cli.ExitNo, "Cancelled": cli.ExitNo, "Open": cli.ExitDone} {
		r := run{scheduler: fakeScheduler{waits: 1, processes: []dialects.Process{ended(status, 3, 0)}}}
		r.do(t, "wait", "nightly", dsn)
		require.Equal(t, code, r.code, status)
		require.Contains(t, r.out, "outcome    "+map[string]string{"Succeeded": "succeeded", "Failed": "failed", "Cancelled": "cancelled", "Open": "idle"}[status])
	}
}

func TestWarnsThatNothingRuns(t *testing.T) {
	for block, next := range map[dialects.Block]string{
		dialects.Stopped: "dbsched start", dialects.Copied: "dbsched start --here, or --moved if it has moved", dialects.BrokerOff: "dbsched install",
		dialects.NoWorkers: "dbsched workers N \\(1 to 16\\)", dialects.NoDispatcher: "dbsched verify",
	} {
		r := run{scheduler: fakeScheduler{status: dialects.Status{Blocked: block, MaxLanes: 16, CopyOf: "x"}}}
		r.do(t, "exec", "SELECT 1", "--order=1", dsn)
		require.Equal(t, cli.ExitDone, r.code)
		require.Regexp(t, "^dbsched: warning: no task starts now: .*\\. Run "+next+"\n$", r.err)
		r.do(t, "status", dsn)
		require.Regexp(t, "(?m)^state +no task starts: ", r.out)
		require.Regexp(t, "(?m)^next +"+next+"$", r.out)
	}
}

func TestSettings(t *testing.T) {
	days := int64(7)
	r := run{scheduler: fakeScheduler{options: dialects.Options{RetentionDays: &days, AlarmHook: "dbo.x"}}}
	r.do(t, "options", "--retention-days=7", dsn)
	require.Equal(t, "retention-days  7\nalarm hook      dbo.x\n", r.out)
	require.Equal(t, "SetOptions RetentionDays=7", r.scheduler.calls[0])
	r = run{}
	r.do(t, "options", dsn)
	require.Equal(t, []string{"options", "close"}, r.scheduler.calls)
	r = run{}
	r.do(t, "purge", "--days=7", "-y", dsn)
	require.Equal(t, []string{"Purge Days=7", "close"}, r.scheduler.calls)
	for want, args := range map[string][]string{"SetAlarmHook Procedure=dbo.x": {"hook", "dbo.x"}, "SetAlarmHook": {"hook", "--off"}} {
		r = run{}
		r.do(t, append(args, dsn)...)
		require.Equal(t, []string{want, "close"}, r.scheduler.calls)
	}
	r = run{}
	r.do(t, "hook", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
}

func TestAlarms(t *testing.T) {
	at := time.Date(2026, 11, 20, 1, 2, 3, 0, time.UTC)
	r := run{scheduler: fakeScheduler{alarms: []dialects.Alarm{{ID: 3, RaisedAt: at, Kind: "LateTask", TaskID: 9, Text: "It is late."}}}}
	r.do(t, "alarms", "--utc", dsn)
	require.Contains(t, r.out, "2026-11-20 01:02:03.000Z  LateTask")
	require.True(t, r.scheduler.filter.Unacknowledged)
	r.do(t, "alarms", "--ack", "--up-to=3", dsn)
	require.Contains(t, r.scheduler.calls, "AcknowledgeAlarms UpTo=3")
	r.do(t, "alarms", "--ack", "--id=3", dsn)
	require.Contains(t, r.scheduler.calls, "AcknowledgeAlarms AlarmId=3")
	r.do(t, "alarms", "--ack", "--id=3", "--up-to=4", dsn)
	require.Contains(t, r.err, "choose one of --up-to and --id")
	r.do(t, "alarms", "--id=3", dsn)
	require.Contains(t, r.err, "--id needs --ack and the number of an alarm")
	r.do(t, "alarms", "--up-to=3", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
}

func TestTask(t *testing.T) {
	at := time.Date(2026, 11, 20, 1, 2, 3, 0, time.UTC)
	end := at.Add(1500 * time.Millisecond)
	r := run{scheduler: fakeScheduler{
		tasks: []dialects.Task{{ID: 9, ProcessID: 1, Order: 2, Status: "Failed", EnqueuedBy: "anna", EnqueuedAt: at, StartedAt: &at, FinishedAt: &end, SQL: "SELECT 1\n/ 0;",
			Priority: 5, Attempt: 2, DueAt: &at, Resource: "warehouse", Overran: new(0.5), TaskOptions: dialects.TaskOptions{
				Timeout: new(int64(1)), StopOutcome: "TimedOut", ExpectedSeconds: 90, MaxAttempts: 3, Failures: 1, OnOrphan: "Fail", Orphans: 1, Access: "Exclusive", Transactional: true,
				DedupKey: "day 22", DuplicateOf: 12, Parameters: `{"Day": "x"}`,
			}}},
		logs: []dialects.LogEntry{{TaskID: 9, Attempt: 1, Lane: 3, SessionID: 77, Outcome: "Failed", StartedAt: at, FinishedAt: &end,
			ErrorNumber: 8134, ErrorUnit: "p", ErrorLine: 2, ErrorMessage: "Divide by zero."}},
	}}
	r.do(t, "task", "9", "--utc", dsn)
	golden(t, "task.table", r.out)
	r = run{}
	r.do(t, "task", "9", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "there is no task 9, or you are not allowed to see it")
}
