package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

const dsn = "--dsn=fake://u:hush@h"

func TestUsageErrors(t *testing.T) {
	for want, args := range map[string][]string{
		"unknown flag: --nonsense":                                             {"status", "--nonsense"},
		`unknown command "nonsense" for "dbsched"`:                             {"nonsense"},
		"no database given. Use --dsn or --target, or set DBSCHED_DSN":         {"status"},
		`unknown DSN scheme "other://". Valid schemes: fake:`:                  {"status", "--dsn=other://u:hush@h"},
		`unknown dialect "oracle". Valid values: fake`:                         {"status", dsn, "--dialect=oracle"},
		`--output is "xml"; it must be table or json`:                          {"status", dsn, "--output=xml"},
		"the SQL is empty":                                                     {"exec", " \n", "--order=1", dsn},
		`--order is required`:                                                  {"exec", "select 1", dsn},
		`invalid argument "x" for "--order" flag`:                              {"exec", "select 1", "--order=x", dsn},
		"--order is 2147483648; it must fit 32 bits":                           {"exec", "select 1", "--order=2147483648", dsn},
		"--retry-delay is 1.5s; it must be whole seconds, 0 or more":           {"exec", "select 1", "--order=1", "--retry-delay=1500ms", dsn},
		"--retry-delay is -1s; it must be whole seconds, 0 or more":            {"exec", "select 1", "--order=1", "--retry-delay=-1s", dsn},
		"--timeout is 1.5s; it must be whole seconds, 0 or more":               {"exec", "select 1", "--order=1", "--timeout=1500ms", dsn},
		"--retry-delay is 0s; it must be 1s or more":                           {"exec", "select 1", "--order=1", "--retry-delay=0s", dsn},
		"--timeout is 0s; it must be 1s or more":                               {"exec", "select 1", "--order=1", "--timeout=0s", dsn},
		"--max-attempts is 0; it must be at least 1":                           {"exec", "select 1", "--order=1", "--max-attempts=0", dsn},
		`--on-orphan is "Forget"; it must be Retry or Fail`:                    {"exec", "select 1", "--order=1", "--on-orphan=Forget", dsn},
		`--access is "Total"; it must be Shared or Exclusive`:                  {"exec", "select 1", "--order=1", "--resource=r", "--access=Total", dsn},
		"--access needs --resource":                                            {"exec", "select 1", "--order=1", "--access=shared", dsn},
		"--parameters is not a JSON object: [1]":                               {"exec", "select 1", "--order=1", "--parameters=[1]", dsn},
		`--not-before is "soon"`:                                               {"exec", "select 1", "--order=1", "--not-before=soon", dsn},
		`wrong number of arguments. Usage: dbsched exec "SQL" [flags]`:         {"exec", "--order=1", dsn},
		"wrong number of arguments. Usage: dbsched policy NAME [flags]":        {"policy", dsn},
		`no unfinished process is called "missing"`:                            {"exec", "select 1", "--order=1", "--process=missing", dsn},
		`"-1" is not a number of workers`:                                      {"workers", dsn, "--", "-1"},
		`"many" is not a number of workers`:                                    {"workers", "many", dsn},
		`" " is not a number of workers`:                                       {"workers", "", dsn},
		`unknown policy "Random". Valid values: Fifo, Priority, RoundRobin`:    {"policy", "Random", dsn},
		"--days is -1; it must be 0 or more":                                   {"purge", "--days=-1", dsn},
		"say what to change, such as --cron":                                   {"schedule", "alter", "s", dsn},
		"--workers\" flag: write a whole number":                               {"bench", "--workers=a", "--sandbox=fake"},
		"-1 is a negative number, which is not valid here":                     {"workers", "-1", dsn},
		"-20 is a negative number, which is not valid here":                    {"task", "-20", dsn},
		"--lanes is 100; it must be between 1 and 99":                          {"install", "--lanes=100", dsn},
		"--lanes is 0; it must be between 1 and 99\n":                          {"install", "--lanes=0", dsn},
		"--lanes is 0; it must be between 1 and 99":                            {"render", "--lanes=0"},
		"--as-runner needs --runner NAME":                                      {"render", "--as-runner"},
		"--users, --to and --revoke need --trust":                              {"render", "--users=a"},
		"name the other databases: --to NAME,NAME":                             {"render", "--trust", "--users=a"},
		"name the users whose tasks may leave the database: --users":           {"render", "--trust", "--to=Staging", "--users="},
		"--revoke removes the access of all users":                             {"render", "--trust", "--to=Staging", "--users=a", "--revoke"},
		"choose one of --grants, --kill-script and --trust":                    {"render", "--trust", "--to=Staging", "--users=a", "--kill-script"},
		"excludes --grants, --kill-script and --trust":                         {"render", "--trust", "--to=Staging", "--revoke", "--runner=r", "--as-runner"},
		`unknown status "Broken". Valid values: Running, Succeeded`:            {"logs", "--status=Broken", dsn},
		"--limit is -1; it must be 0 or more":                                  {"tasks", "--limit=-1", dsn},
		`--clock is "slow"; it must be real or fast`:                           {"demo", "--clock=slow"},
		"--workers is 0; it must be between 1 and 99":                          {"demo", "--workers=0"},
		`No terminal to confirm on. Repeat with --yes`:                         {"uninstall", dsn},
		`Cancel all running tasks on fakehost as u? No terminal to confirm on`: {"stop", "--now", dsn},
		`running tasks on fakehost as u if the code that runs them changes?`:   {"install", "--now", dsn},
	} {
		t.Run(want, func(t *testing.T) {
			var r run
			r.do(t, args...)
			require.Equal(t, cli.ExitUsage, r.code, r.err)
			require.Contains(t, r.err, want)
			require.Contains(t, r.err, "--help' for usage.")
			require.Empty(t, r.out)
			require.NotContains(t, r.err, "hush")
			require.Equal(t, []string{}, r.scheduler.changes(), "something was sent")
		})
	}
}

func TestHelpNamesEveryExitCode(t *testing.T) {
	var r run
	r.do(t, "--help")
	_, codes, _ := strings.Cut(r.out, "Exit codes: ")
	for _, code := range []int{cli.ExitDone, cli.ExitNo, cli.ExitUsage, cli.ExitConnect, cli.ExitRefused, cli.ExitPartly, cli.ExitTimeout, cli.ExitInterrupted} {
		require.Regexp(t, fmt.Sprintf(`(?:^|[;,]\s)%d [a-z]`, code), codes)
	}
}

// Oracle's message is the stack: it already contains the number, and the units that it passed through are noise here.
func TestErrorsOfTasksAreShort(t *testing.T) {
	for want, e := range map[string]dialects.LogEntry{
		"":                                  {},
		"8134 in p line 3: Divide by zero.": {ErrorNumber: 8134, ErrorMessage: "Divide by zero.", ErrorUnit: "p", ErrorLine: 3},
		"ORA-01006: bind variable does not exist":           {ErrorNumber: 1006, ErrorMessage: "ORA-01006: bind variable does not exist\nORA-06512: at \"SYS.DBMS_SQL\", line 63\n"},
		"ORA-06550 line 1: line 1, column 7:\nPLS-00201: x": {ErrorNumber: 6550, ErrorMessage: "ORA-06550: line 1, column 7:\nPLS-00201: x\n", ErrorLine: 1},
	} {
		require.Equal(t, want, taskError(e))
	}
}

func TestExitCodes(t *testing.T) {
	cause := errors.New("Msg 229, Level 14, State 5, Procedure p, Line 3: denied")
	for name, c := range map[string]struct {
		err  error
		code int
	}{
		"done":      {nil, cli.ExitDone},
		"usage":     {dialects.Usagef("bad"), cli.ExitUsage},
		"preflight": {&dialects.PreflightError{Findings: []dialects.Finding{{Text: "bad"}}}, cli.ExitUsage},
		"connect":   {&dialects.ConnectError{Target: "h", Err: cause}, cli.ExitConnect},
		"refused":   {&dialects.ServerError{Doing: "x", Err: cause}, cli.ExitRefused},
		"partly":    {&dialects.PartialError{Failed: "x", Err: &dialects.ServerError{Err: cause}}, cli.ExitPartly},
		"other":     {errors.New("what"), cli.ExitRefused},
	} {
		t.Run(name, func(t *testing.T) {
			r := run{scheduler: fakeScheduler{err: c.err}}
			r.do(t, "start", dsn)
			require.Equal(t, c.code, r.code)
			require.Equal(t, []string{"StartScheduler", "close"}, r.scheduler.calls)
			if c.err != nil {
				require.Contains(t, r.err, "dbsched: "+c.err.Error())
			}
		})
	}
}

func TestCannotConnect(t *testing.T) {
	var r run
	r.dialect.open = func(dialects.Target) (dialects.Scheduler, error) {
		return nil, &dialects.ConnectError{Target: "h as u", Err: errors.New("refused")}
	}
	r.do(t, "tasks", dsn)
	require.Equal(t, cli.ExitConnect, r.code)
	require.Equal(t, "dbsched: cannot connect to h as u: refused\n", r.err)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := run{scheduler: fakeScheduler{block: true}, ctx: ctx}
	r.do(t, "start", dsn)
	require.Equal(t, cli.ExitInterrupted, r.code)
	require.Equal(t, "dbsched: interrupted\n", r.err)
}

func TestTheFlagBeatsTheEnvironment(t *testing.T) {
	r := run{env: map[string]string{"DBSCHED_DSN": "fake://env"}}
	r.do(t, "status")
	require.Equal(t, "fake://env", r.dialect.target.DSN)
	require.Equal(t, "dbsched", r.dialect.target.Schema)
	r.do(t, "status", "--dsn=fake://flag", "--schema=other")
	require.Equal(t, "fake://flag", r.dialect.target.DSN)
	require.Equal(t, "other", r.dialect.target.Schema)
}

func TestCallsReachTheDialect(t *testing.T) {
	for want, args := range map[string][]string{
		"install 8 true 5s Drain":     {"install", "--lanes=8", "--force-enable-broker", "--lock-timeout=5s"},
		"install 0 false 30s Now":     {"install", "--now", "-y"},
		"uninstall 5m0s":              {"uninstall", "--drain-timeout=5m", "--yes"},
		"StartScheduler":              {"start"},
		"StartScheduler Here=true":    {"start", "--here"},
		"StartScheduler Moved=true":   {"start", "--moved"},
		"StopScheduler Mode=Drain":    {"stop"},
		"StopScheduler Mode=Now":      {"stop", "--now", "-y"},
		"SetWorkers MaxWorkers=0":     {"workers", "0"},
		"SetPolicy Policy=RoundRobin": {"policy", "roundrobin"},
		"grant anna false":            {"grant", "anna"},
		"grant anna true":             {"grant", "anna", "--admin"},
		"revoke anna":                 {"revoke", "anna"},
	} {
		t.Run(want, func(t *testing.T) {
			var r run
			r.do(t, append(args, dsn)...)
			require.Equal(t, cli.ExitDone, r.code, r.err)
			require.Equal(t, []string{want}, r.scheduler.changes())
		})
	}
}

// TestStartAlsoOn: the names are one call after the start; "" names none.
func TestStartAlsoOn(t *testing.T) {
	for want, args := range map[string][]string{
		"StartScheduler AlsoOn=SRV2,SRV3": {"start", "--also-on=SRV2", "--also-on=SRV3"},
		"StartScheduler AlsoOn=-":         {"start", "--also-on="},
	} {
		var r run
		r.do(t, append(args, dsn)...)
		require.Equal(t, cli.ExitDone, r.code, r.err)
		require.Equal(t, []string{"StartScheduler", want}, r.scheduler.changes())
	}
	var r run
	r.do(t, "start", "--here", "--moved", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "--moved if the original is here now")
}

func TestExecFillsTheTask(t *testing.T) {
	at := time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)
	r := run{in: "select\n1\n"}
	r.do(t, "exec", "-", "--order=-5", "--process=nightly", "--priority=3", "--max-attempts=4", "--retry-delay=10s",
		"--not-before=2026-11-20T23:00:00+01:00", "--expected-seconds=9", "--timeout=90s",
		"--on-orphan=fail", "--resource=r", "--access=exclusive", "--transactional", "--dedup-key=k", "--name=Build facts", `--parameters={"a": 1}`, dsn)
	require.Equal(t, cli.ExitDone, r.code, r.err)
	require.Equal(t, "task  1\n", r.out)
	require.Contains(t, r.scheduler.calls[0], "SQL:select\n1\n Name:Build facts Order:-5 ProcessID:42 Priority:3 MaxAttempts:4 RetryDelay:10s Timeout:1m30s NotBefore:"+at.String()+
		` ExpectedSeconds:9 OnOrphan:Fail Resource:r Access:Exclusive Transactional:true DedupKey:k Parameters:{"a": 1}}`)
	r.in = " \n"
	r.do(t, "exec", "-", "--order=1", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "the SQL on standard input is empty")
}

func TestDryRunPrintsAndChangesNothing(t *testing.T) {
	for _, args := range [][]string{{"start"}, {"stop", "--now"}, {"workers", "3"}, {"policy", "Fifo"}, {"exec", "select 1", "--order=1"}, {"install"}, {"uninstall"},
		{"run", planFile(t, "")}, {"cancel", "task", "4"}, {"retry", "process", "x"}, {"resource", "define", "r"}, {"resource", "drop", "r"}, {"resource", "release", "4"},
		{"round", "define", "r", "--member=a", "--start-sql=x"}, {"round", "report", "r", "a"}, {"round", "remove", "r"}, {"grant", "anna"}, {"revoke", "anna"}} {
		r := run{scheduler: fakeScheduler{err: errors.New("sent")}}
		r.do(t, append(args, dsn, "--dry-run")...)
		require.Equal(t, cli.ExitDone, r.code, r.err)
		require.True(t, strings.HasPrefix(r.out, "-- call\n"), r.out)
		require.Empty(t, r.err)
	}
}

func TestConfirmation(t *testing.T) {
	r := run{terminal: 40, in: "n\n"}
	r.do(t, "uninstall", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "Remove dbsched with all its tasks and logs from schema dbsched on fakehost as u? [y/N] ")
	require.NotContains(t, r.err, "--help")
	require.Empty(t, r.scheduler.changes())
	r = run{terminal: 40, in: "y\n"}
	r.do(t, "uninstall", dsn)
	require.Equal(t, cli.ExitDone, r.code, r.err)
	require.Equal(t, "uninstall 1m0s", r.scheduler.changes()[0])
}

func TestQuiet(t *testing.T) {
	var r run
	require.Empty(t, r.do(t, "start", dsn, "-q").err)
	require.Equal(t, "started: fakehost as u, schema dbsched\n", r.do(t, "start", dsn).err)
	for _, command := range []string{"install", "uninstall"} {
		require.NotEmpty(t, r.do(t, command, dsn, "--yes").out)
		r.do(t, command, dsn, "--yes", "-q")
		require.Empty(t, r.out+r.err, command)
		require.NotEmpty(t, r.do(t, command, dsn, "--yes", "-q", "-o=json").out, "a script asks for it")
	}
}

// TestStatusAnswers: the exit code of status says whether tasks can start.
func TestStatusAnswers(t *testing.T) {
	for blocked, code := range map[dialects.Block]int{
		"": cli.ExitDone, dialects.Stopped: cli.ExitNo, dialects.Copied: cli.ExitNo, dialects.BrokerOff: cli.ExitNo, dialects.NoWorkers: cli.ExitNo,
		dialects.NoDispatcher: cli.ExitNo, "Other": cli.ExitNo,
	} {
		for _, format := range []string{"table", "json"} {
			r := run{scheduler: fakeScheduler{status: dialects.Status{Blocked: blocked, Alarms: 1}}}
			require.Equal(t, code, r.do(t, "status", dsn, "-o", format).code, blocked)
			require.NotEmpty(t, r.out)
			require.Empty(t, r.err)
		}
	}
}

// TestInstallNamesTheNextStep: what is installed and does not run yet is started by one more command, which install names.
func TestInstallNamesTheNextStep(t *testing.T) {
	r := run{scheduler: fakeScheduler{status: dialects.Status{Blocked: dialects.Stopped}}}
	require.Regexp(t, `(?m)^next +dbsched start$`, r.do(t, "install", dsn).out)
	r.scheduler.status.Blocked = ""
	require.NotContains(t, r.do(t, "install", dsn).out, "next")
}

func TestOutput(t *testing.T) {
	at := time.Date(2012, 1, 9, 13, 20, 1, 997e6, time.UTC)
	end := at.Add(10100 * time.Millisecond)
	yes, no := true, false
	r := run{scheduler: fakeScheduler{
		status: dialects.Status{Target: "h as u", Schema: "dbsched", Version: "1", Started: true, Policy: dialects.Fifo,
			MaxWorkers: 3, MaxLanes: 16, Workers: 2, Running: 1, Unfinished: 3, AlsoOn: []string{"SRV2", "SRV3"}},
		lanes: []dialects.Lane{{Lane: 1, State: "Busy", SessionID: 53, TaskID: 9}, {Lane: 2, State: "Idle"}},
		processes: []dialects.Process{{ID: 1, Name: "nightly\x1b[31m", Status: "Open", Priority: 5, Unfinished: 2, Running: 1, Succeeded: 3,
			CreatedBy: "dbo", CreatedAt: at}},
		tasks: []dialects.Task{
			{ID: 1, ProcessID: 1, Order: 100, Status: "Running", Attempt: 1, SQL: "exec\n  dbo.a", EnqueuedBy: "dbo", EnqueuedAt: at, StartedAt: &at,
				Overran: new(57.0), TaskOptions: dialects.TaskOptions{Timeout: new(int64(3)), MaxAttempts: 1, OnOrphan: "Retry"}},
			{ID: 3, Status: "Pending", Attempt: 1, SQL: "EXEC [dbsched].RunFiring @FiringId = 12;", EnqueuedBy: "dbo", EnqueuedAt: at},
			{ID: 2, ProcessID: 1, Order: 200, Status: "Waiting", Reason: "Retry", Attempt: 2, SQL: strings.Repeat("x", 80), EnqueuedBy: "dbo", EnqueuedAt: at},
		},
		logs: []dialects.LogEntry{
			{ID: 1, TaskID: 1, ProcessID: 1, Order: 100, Attempt: 1, SQL: "exec dbo.a", Lane: 1, SessionID: 53, StartedAt: at, FinishedAt: &end, Outcome: "Succeeded"},
			{ID: 2, TaskID: 2, ProcessID: 1, Order: 200, Attempt: 1, SQL: "select 1/0", Lane: 2, SessionID: 57, StartedAt: at, FinishedAt: &end,
				Outcome: "Failed", ErrorNumber: 8134, ErrorMessage: "Divide by zero error encountered.", ErrorUnit: "p", ErrorLine: 3},
			{ID: 3, TaskID: 3, ProcessID: 1, Order: 200, Attempt: 1, SQL: "waitfor", Lane: 3, SessionID: 58, StartedAt: at, Outcome: "Running", Timeout: new(int64(3)), Overran: new(57.0), TaskStatus: "Stopping"},
		},
		resources: []dialects.ResourceRequest{
			{Resource: "idle", Capacity: 3},
			{Resource: "report server", Capacity: 1, Held: 1, Waiting: 1, Request: 12, Status: "Granted", Access: "Exclusive", Requester: "app", RequestedBy: "dbo", SessionID: 53,
				RequestedAt: &at, GrantedAt: &at, LeaseUntil: &end},
			{Resource: "report server", Capacity: 1, Held: 1, Waiting: 1, Request: 13, Status: "Waiting", Access: "Shared", Requester: "task", ProcessID: 7, TaskID: 9, RequestedAt: &end},
		},
		counts:  dialects.ScheduleCounts{Enabled: 12, Disabled: 1, Suspended: 1, NextAt: &end, Next: "nightly-load"},
		outcome: dialects.RoundWaiting,
		rounds: []dialects.Round{
			{ID: 1, Name: "load", Generation: 3, Members: 4, Succeeded: 2, Failed: 1, FirstReportAt: &at, SuccessorJob: "Report", MaxAgeSeconds: 43200, StartSeconds: 60,
				LastGeneration: 2, LastStatus: "Started", LastFiredAt: &end, LastFiredBy: "Load D", DefinedBy: "dbo",
				Reports: []dialects.RoundReport{{Member: "Load A", Succeeded: &yes, ReportedAt: &at}, {Member: "Load B", Succeeded: &yes, ReportedAt: &at}, {Member: "Load C", Succeeded: &no, ReportedAt: &at}, {Member: "Load D"}}},
			{ID: 2, Name: "new", Generation: 1, Members: 2, SuccessorSQL: "EXEC\n etl.Report", MaxAgeSeconds: 60, StartSeconds: 60, DefinedBy: "etl"},
		},
		installed: dialects.InstallReport{Database: "d", Schema: "dbsched", Lanes: 16, Migration: 3, Applied: []string{"a.sql", "b.sql"}, Unchanged: 4, Warnings: []string{"mind this"}},
		removed:   dialects.UninstallReport{Database: "d", Schema: "dbsched", Removed: []string{"a", "b"}},
	}}
	for name, args := range map[string][]string{
		"status": {"status"}, "workers": {"workers"}, "processes": {"processes"}, "tasks": {"tasks"}, "logs": {"logs"},
		"resources": {"resource"}, "rounds": {"round", "list"}, "report": {"round", "report", "load", "Load A"}, "install": {"install"}, "uninstall": {"uninstall", "-y"}, "exec": {"exec", "select 1", "--order=1"},
	} {
		for _, format := range []string{"table", "json"} {
			t.Run(name+" "+format, func(t *testing.T) {
				r.do(t, append(args, dsn, "--utc", "-o", format)...)
				require.Equal(t, cli.ExitDone, r.code, r.err)
				golden(t, name+"."+format, r.out)
			})
		}
	}
	require.Equal(t, "dbsched: warning: mind this\n", r.do(t, "install", dsn).err)
}

func TestEmptyListsAreLists(t *testing.T) {
	var r run
	r.do(t, "tasks", dsn, "-o=json", "--process=nightly", "--status=failed", "--limit=5")
	require.Equal(t, "{\n  \"version\": 1,\n  \"kind\": \"tasks\",\n  \"data\": []\n}\n", r.out)
	require.Equal(t, dialects.Filter{ProcessID: 42, Statuses: []string{"Failed"}, Limit: 5}, r.scheduler.filter)
}

func TestRenderNeedsNoDatabase(t *testing.T) {
	var r run
	r.do(t, "render", "--schema=s", "--lanes=2")
	require.Equal(t, "render s 2\n", r.out)
	require.Equal(t, cli.ExitDone, r.code)
}

func TestVersionAndHelp(t *testing.T) {
	var r run
	require.Contains(t, r.do(t, "version").out, "dbsched   v1.2.3\ncommit    ")
	require.Regexp(t, `(?m)^fake      sql-`, r.out)
	require.Equal(t, cli.ExitDone, r.do(t, "--help").code)
	require.Contains(t, r.out, "Exit codes: 0 done")
	require.Equal(t, cli.ExitDone, r.do(t).code)
	require.Equal(t, cli.ExitDone, r.do(t, "completion", "bash").code)
	require.Contains(t, r.out, "dbsched")
}
