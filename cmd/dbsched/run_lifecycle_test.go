package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/plan"
)

// outcomes lists the statuses of a process's tasks, in the order of the plan.
func outcomes(c client, process int64) []string {
	c.t.Helper()
	var all []string
	for _, task := range data[[]dialects.Task](c, "tasks", "--process", strconv.FormatInt(process, 10)) {
		all = append(all, task.Status)
	}
	return all
}

// ran runs a plan that must end with a code, and returns its process.
func (c client) ran(code int, plan string, args ...string) runResult {
	c.t.Helper()
	o := c.run(append([]string{"run", planFile(c.t, plan), "-o=json", "-q"}, args...)...)
	require.Equal(c.t, code, o.code, "%s%s", o.out, o.err)
	return decoded[runResult](c.t, o.out)
}

func TestPlansOnTheSandbox(t *testing.T) {
	t.Parallel()
	c := serve(t)
	c.ok("install", "--lanes=4")
	c.ok("start")
	db := c.connect()
	execute(t, db, "CREATE TABLE dbo.Switch (Broken int NOT NULL);")
	execute(t, db, "INSERT INTO dbo.Switch (Broken) VALUES (0);")
	const broken = "SELECT 1 / Broken FROM dbo.Switch;"

	t.Run("succeeded", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "b.sql"), []byte("\ufeffSELECT N'ü';\n"), 0o600))
		plan := filepath.Join(dir, "plan.yaml")
		require.NoError(t, os.WriteFile(plan, []byte(`process: nightly
weight: 2
max-parallel: 2
waves:
- tasks: [SELECT 1, {sql: SELECT 2, priority: 5, expected-seconds: 9, max-attempts: 2, retry-delay: 1s}]
- order: 500
  tasks:
  - file: b.sql
`), 0o600))
		o := c.run("run", plan, "--wait", "--timeout=2m", "-o=json")
		require.Zero(t, o.code, o.err)
		done := decoded[runResult](t, o.out)
		require.Equal(t, "succeeded", done.Outcome)
		require.EqualValues(t, 3, done.Succeeded)
		require.Equal(t, fmt.Sprintf("process %d: 3 tasks in 2 waves\n", done.Process), o.err)
		tasks := data[[]dialects.Task](c, "tasks", "--process=nightly")
		require.Equal(t, []int{100, 100, 500}, []int{tasks[0].Order, tasks[1].Order, tasks[2].Order})
		require.Equal(t, "SELECT N'ü';\n", tasks[2].SQL)
		require.Equal(t, done.Tasks, []int64{tasks[0].ID, tasks[1].ID, tasks[2].ID})
	})

	t.Run("one task", func(t *testing.T) {
		o := c.run("exec", "SELECT 1", "--order=1", "--wait", "-q")
		require.Zero(t, o.code, o.err)
		require.Regexp(t, `(?s)^task +\d+\n.*status +Succeeded\n.*attempt 1: Succeeded`, o.out)
		require.Empty(t, o.err)
		other := c.run("exec", "WAITFOR DELAY '00:00:20'", "--order=1") // in the same process
		require.Zero(t, other.code, other.err)
		o = c.run("exec", "SELEC 1", "--order=1", "--wait", "-o=json")
		require.Equal(t, 1, o.code, o.err)
		failed := decoded[taskDetail](t, o.out)
		require.Equal(t, "Failed", failed.Status)
		require.Equal(t, 2812, failed.Attempts[0].ErrorNumber)
		require.Equal(t, "Running", data[taskDetail](c, "task", strings.Fields(other.out)[1]).Status, "it did not wait for the other")
	})

	t.Run("halted, then retried", func(t *testing.T) {
		halted := c.ran(1, "process: halts\nwaves: [{tasks: [SELECT 1]}, {tasks: ['"+broken+"']}, {tasks: [SELECT 3]}]\n", "--wait", "--timeout=2m")
		require.Equal(t, "failed", halted.Outcome)
		require.EqualValues(t, 1, halted.Failed)
		require.Equal(t, []string{"Succeeded", "Failed", "Skipped"}, outcomes(c, halted.Process))
		execute(t, db, "UPDATE dbo.Switch SET Broken = 1;")
		c.ok("retry", "-y", "process", "halts")
		execute(t, db, fmt.Sprintf("EXEC dbsched.WaitProcess %d, 120;", halted.Process))
		require.Equal(t, []string{"Succeeded", "Succeeded", "Succeeded"}, outcomes(c, halted.Process))
		c.refused(4, "51027", "retry", "-y", "process", "halts")
		execute(t, db, "UPDATE dbo.Switch SET Broken = 0;")
	})

	t.Run("goes on after a failure", func(t *testing.T) {
		o := c.run("run", planFile(t, "process: goes on\non-error: continue\nwaves: [{tasks: [SELECT 1, '"+broken+"']}, {tasks: [SELECT 3]}]\n"), "--wait", "--timeout=2m")
		require.Equal(t, 1, o.code, o.err)
		require.Contains(t, o.err, "attempt 1: Failed: 8134 Divide by zero")
		require.Contains(t, o.out, "succeeded  2\n")
		failed := data[[]dialects.LogEntry](c, "logs", "--process=goes on", "--status=failed")
		require.Len(t, failed, 1)
		execute(t, db, "UPDATE dbo.Switch SET Broken = 1;")
		c.ok("retry", "task", strconv.FormatInt(failed[0].TaskID, 10))
		execute(t, db, fmt.Sprintf("EXEC dbsched.WaitProcess %d, 120;", failed[0].ProcessID))
		require.Equal(t, []string{"Succeeded", "Succeeded", "Succeeded"}, outcomes(c, failed[0].ProcessID))
	})

	const long = "process: long\nwaves: [{tasks: ['WAITFOR DELAY ''00:05:00''']}, {tasks: [SELECT 1]}]\n"
	t.Run("timeout, then cancelled", func(t *testing.T) {
		timed := c.ran(6, long, "--wait", "--timeout=1s")
		require.Equal(t, "timeout", timed.Outcome)
		c.refused(2, "No terminal to confirm on. Repeat with --yes", "cancel", "process", "long")
		c.ok("cancel", "task", strconv.FormatInt(timed.Tasks[1], 10), "--yes")
		require.Contains(t, outcomes(c, timed.Process), "Cancelled")
		c.ok("cancel", "process", "long", "--yes")
		require.Equal(t, "Cancelled", data[[]dialects.Process](c, "processes", "--process", strconv.FormatInt(timed.Process, 10))[0].Status)
		c.refused(4, "51024", "cancel", "task", "999999", "--yes")
	})

	t.Run("interrupted", func(t *testing.T) {
		cmd := exec.Command(binary, "run", planFile(t, long), "--wait", "--dsn", c.dsn)
		errs, err := cmd.StderrPipe()
		require.NoError(t, err)
		var out bytes.Buffer
		cmd.Stdout = &out
		require.NoError(t, cmd.Start())
		said := make([]byte, 200)
		n, err := errs.Read(said) // once the program prints that, the plan is submitted
		require.NoError(t, err)
		require.Contains(t, string(said[:n]), "2 tasks in 2 waves")
		require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		n, err = errs.Read(said)
		require.NoError(t, err)
		require.Error(t, cmd.Wait())
		require.Equal(t, 130, cmd.ProcessState.ExitCode())
		id := data[[]dialects.Process](c, "processes", "--limit=1")[0].ID // it may not be Closing yet: that is the dispatcher's job
		require.Equal(t, fmt.Sprintf("dbsched: interrupted; process %d continues. To wait again, run 'dbsched wait %[1]d'; to end it, 'dbsched cancel process %[1]d'\n", id), string(said[:n]))
		require.Contains(t, out.String(), fmt.Sprintf("process    %d\n", id))
		c.ok("cancel", "process", "long", "-y")
	})

	t.Run("what is refused leaves nothing", func(t *testing.T) {
		before := data[[]dialects.Process](c, "processes")
		c.refused(2, ":2:9: weight is 0", "run", planFile(t, "process: p\nweight: 0\nwaves: [{tasks: [x]}]\n"))
		c.refused(4, "51040", "run", planFile(t, "process: p\nwaves: [{tasks: [SELECT 1, {sql: x, resource: nowhere}]}]\n"))
		require.Equal(t, len(before), len(data[[]dialects.Process](c, "processes")))
	})

	t.Run("a dry run is a script", func(t *testing.T) {
		plan := "process: it's dry\nwaves: [{tasks: [SELECT 1, \"SELECT N'it''s'\"]}]\n"
		script := c.ok("run", planFile(t, plan), "--dry-run")
		require.Empty(t, data[[]dialects.Process](c, "processes", "--status=closing"))
		execute(t, db, script[:len(script)-len("GO\n")])
		execute(t, db, "DECLARE @P int = (SELECT MAX(v.ProcessId) FROM dbsched.ProcessInfo AS v); EXEC dbsched.WaitProcess @P, 60;")
		all := data[[]dialects.Process](c, "processes")
		require.Equal(t, "it's dry", all[len(all)-1].Name)
		require.Equal(t, "Succeeded", all[len(all)-1].Status)
	})
}

// The example that the program prints for an engine works there, once the objects that it names exist.
func TestExamplePlanOnTheSandbox(t *testing.T) {
	t.Parallel()
	for dialect, e := range map[string]struct {
		file    string
		objects []string
	}{
		"mssql": {"EXEC etl.LoadOrders;", []string{
			"CREATE SCHEMA etl;", "CREATE PROCEDURE etl.LoadCustomers AS SELECT 1;", "CREATE PROCEDURE etl.LoadOrders AS SELECT 1;", "CREATE PROCEDURE etl.Publish AS SELECT 1;", "CREATE PROCEDURE etl.BuildFacts AS SELECT 1;",
			"CREATE PROCEDURE etl.Archive @Before date, @Limit int AS IF @Before <> '20261101' OR @Limit <> 1000 THROW 50001, N'wrong parameters', 1;",
			"CREATE TABLE etl.Staging (Id int NOT NULL);", "CREATE TABLE etl.Source (Id int NOT NULL);",
		}},
		"oracle": {"begin load_orders; end;", []string{
			"create procedure load_customers as begin null; end;", "create procedure load_orders as begin null; end;", "create procedure publish as begin null; end;", "create procedure build_facts as begin null; end;",
			"create procedure archive (in_before in date, in_limit in number) as begin if in_before <> date '2026-11-01' or in_limit <> 1000 then raise_application_error(-20500, 'wrong parameters'); end if; end;",
			"create table staging (id number)", "create table source (id number)",
		}},
	} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			c := serveEngine(t, dialect)
			c.ok("install", "--lanes=4")
			c.ok("start")
			dir := t.TempDir()
			file := filepath.Join(dir, "plan.yaml")
			example := c.ok("run", "--example")
			require.Equal(t, plan.Example(dialect), example)
			require.NoError(t, os.WriteFile(file, []byte(example), 0o600))
			db := c.connect()
			for _, statement := range e.objects {
				execute(t, db, statement)
			}
			c.ok("resource", "define", "report server")
			c.ok("run", file, "--wait", "--timeout=2m")
			require.Equal(t, slices.Repeat([]string{"Succeeded"}, 6), outcomes(c, 2))
		})
	}
}

func TestResourcesAndRoundsOnTheSandbox(t *testing.T) {
	t.Parallel()
	c := serve(t)
	c.ok("install", "--lanes=2")
	c.ok("start")
	db := c.connect()

	c.ok("resource", "define", "printer", "--capacity=2")
	c.ok("resource", "define", "printer", "--capacity=1")
	execute(t, db, "EXEC dbsched.AcquireResource N'printer', @LeaseSeconds = 600;")
	held := data[[]dialects.ResourceRequest](c, "resource")
	require.Len(t, held, 1)
	require.Equal(t, "Granted", held[0].Status)
	require.Equal(t, 1, held[0].Capacity)
	c.ran(6, "process: printing\nwaves: [{tasks: [{sql: SELECT 1, resource: printer, access: exclusive}]}]\n", "--wait", "--timeout=1s")
	require.Len(t, data[[]dialects.ResourceRequest](c, "resource", "list"), 2)
	c.ok("resource", "release", strconv.FormatInt(held[0].Request, 10), "--yes")
	execute(t, db, "DECLARE @P int = (SELECT MAX(v.ProcessId) FROM dbsched.ProcessInfo AS v); EXEC dbsched.WaitProcess @P, 60;")
	require.Zero(t, data[[]dialects.ResourceRequest](c, "resource")[0].Request)
	c.refused(4, "51044", "resource", "release", "999", "--yes")
	c.ok("resource", "drop", "printer")
	c.refused(4, "51040", "resource", "drop", "printer")

	c.ok("round", "define", "load", "--member=a", "--member=b", "--start-sql=SELECT 42;", "--order=7", "--max-age=1h")
	require.Equal(t, "outcome  Waiting\n", c.ok("round", "report", "load", "a"))
	require.Equal(t, 1, data[[]dialects.Round](c, "round")[0].Succeeded)
	require.Equal(t, "outcome  Started\n", c.ok("round", "report", "load", "b"))
	finish(t, db, "dbsched")
	tasks := data[[]dialects.Task](c, "tasks", "--process=1")
	require.Len(t, tasks, 1)
	require.Equal(t, 7, tasks[0].Order)
	fired := data[[]dialects.Round](c, "round", "list")[0]
	require.Equal(t, []any{"Started", "b", tasks[0].ID}, []any{fired.LastStatus, fired.LastFiredBy, fired.LastTaskID})
	c.refused(4, "51052", "round", "report", "load", "c")
	c.ok("round", "remove", "load", "--yes")
	require.Empty(t, data[[]dialects.Round](c, "round"))
}

func TestResourcesOnOracle(t *testing.T) {
	t.Parallel()
	c := serveEngine(t, "oracle")
	c.ok("install", "--lanes=2")
	c.ok("start")
	db := c.connect()
	c.ok("resource", "define", "printer", "--capacity=2")
	execute(t, db, "declare l_request number; begin dbsched.acquire_resource('printer', l_request, in_lease_seconds => 600); end;")
	held := data[[]dialects.ResourceRequest](c, "resource")
	require.Len(t, held, 1)
	require.Equal(t, "Granted", held[0].Status)
	require.Equal(t, 2, held[0].Capacity)
	c.ran(6, "process: printing\nwaves: [{tasks: [{sql: begin null; end;, resource: printer, access: exclusive}]}]\n", "--wait", "--timeout=1s")
	for len(data[[]dialects.ResourceRequest](c, "resource", "list")) < 2 { // a lane's job may take seconds to start
	}
	c.refused(4, "20047", "resource", "drop", "printer")
	c.ok("resource", "release", strconv.FormatInt(held[0].Request, 10), "--yes")
	execute(t, db, "declare l_result number; l_status varchar2(30); begin dbsched.wait_process(2, 60, l_result, l_status); end;")
	require.Equal(t, []string{"Succeeded"}, outcomes(c, 2))
	c.refused(4, "20044", "resource", "release", "999", "--yes")
	c.ok("resource", "drop", "printer")
	require.Empty(t, data[[]dialects.ResourceRequest](c, "resource"))
}

func TestPlansOnOracle(t *testing.T) {
	t.Parallel()
	c := serveEngine(t, "oracle")
	c.ok("install", "--lanes=2")
	c.ok("start")
	db := c.connect()
	done := c.ran(0, "process: nightly\nwaves: [{tasks: [begin null; end;]}, {tasks: [{sql: begin null; end;, on-orphan: fail}]}]\n", "--wait", "--timeout=2m")
	require.Equal(t, "succeeded", done.Outcome)
	require.Equal(t, []string{"Succeeded", "Succeeded"}, outcomes(c, done.Process))

	script := c.ok("run", planFile(t, "process: dry\nwaves: [{tasks: [begin null; end;]}]\n"), "--dry-run")
	_, block, found := bytes.Cut([]byte(script), []byte("\ndeclare\n"))
	require.True(t, found, script)
	execute(t, db, "declare\n"+string(bytes.TrimSuffix(block, []byte("\n/\n"))))
	require.Len(t, data[[]dialects.Process](c, "processes"), 3)

	execute(t, db, "create table seen (n number, v varchar2(10))")
	c.ok("resource", "define", "printer", "--capacity=1")
	all := c.ran(0, `process: all
waves:
  - tasks:
      - sql: insert into seen (n, v) values (:n, :v)
        parameters: {"n integer": 7, v: x}
        transactional: true
        dedup-key: once
        resource: printer
        access: exclusive
        timeout: 1m
        max-attempts: 2
        retry-delay: 1s
        priority: 3
        expected-seconds: 5
        on-orphan: retry
  - tasks:
      - sql: begin for r in (select n, v from seen where n = 7 and v = 'x') loop return; end loop; raise no_data_found; end;
        transactional: true
`, "--wait", "--timeout=2m")
	require.Equal(t, "succeeded", all.Outcome)
	require.Equal(t, []string{"Succeeded", "Succeeded"}, outcomes(c, all.Process))
}

func TestCancelAndRetryOnOracle(t *testing.T) {
	t.Parallel()
	c := serveEngine(t, "oracle")
	c.ok("install", "--lanes=2")
	c.ok("start")
	db := c.connect()
	timed := c.ran(6, "process: long\nwaves: [{tasks: [begin dbms_session.sleep(300); end;]}, {tasks: [insert into comes_later values (1)]}]\n", "--wait", "--timeout=1s")
	c.ok("cancel", "task", strconv.FormatInt(timed.Tasks[0], 10), "--yes")
	execute(t, db, fmt.Sprintf("declare l_result number; l_status varchar2(30); begin dbsched.wait_process(%d, 60, l_result, l_status); end;", timed.Process))
	require.Equal(t, []string{"Cancelled", "Failed"}, outcomes(c, timed.Process))
	execute(t, db, "create table comes_later (n number)")
	c.ok("retry", "-y", "process", "long")
	execute(t, db, fmt.Sprintf("declare l_result number; l_status varchar2(30); begin dbsched.wait_process(%d, 60, l_result, l_status); end;", timed.Process))
	require.Equal(t, []string{"Cancelled", "Succeeded"}, outcomes(c, timed.Process))
	c.refused(4, "20027", "retry", "task", strconv.FormatInt(timed.Tasks[1], 10))
	c.refused(4, "20024", "cancel", "task", "999999", "--yes")
	id := c.ran(6, "process: out of time\nwaves: [{tasks: [{sql: begin dbms_session.sleep(300); end;, timeout: 3s}]}]\n", "--wait", "--timeout=1s").Process
	execute(t, db, fmt.Sprintf("declare l_result number; l_status varchar2(30); begin dbsched.wait_process(%d, 60, l_result, l_status); end;", id))
	require.Equal(t, []string{"TimedOut"}, outcomes(c, id))
}

// TestRoundSaysWhoAndWhy: the list shows who has reported and who is missing, and a round whose job did not start shows why.
func TestRoundSaysWhoAndWhy(t *testing.T) {
	t.Parallel()
	for dialect, c := range map[string]struct{ job, make, spoil, why string }{
		"mssql":  {"no such job", "", "", "SQL Server Agent has no such job."},
		"oracle": {"next_job", "begin dbms_scheduler.create_job(job_name => 'next_job', job_type => 'PLSQL_BLOCK', job_action => 'begin null; end;'); end;", "begin dbms_scheduler.drop_job('next_job'); end;", "there is no such job, or APP is not allowed to see it"},
	} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := serveEngine(t, dialect)
			s.ok("install", "--lanes=1")
			if c.make != "" {
				execute(t, s.connect(), c.make)
			}
			s.ok("round", "define", "load", "--member=a", "--member=b", "--member=c", "--member=d", "--start-job="+c.job)
			s.ok("round", "report", "load", "b")
			s.ok("round", "report", "load", "a")
			s.ok("round", "report", "load", "c", "--failed")
			require.Regexp(t, `(?m)^load +1  a, b +c +d  `, s.ok("round"))
			reports := data[[]dialects.Round](s, "round")[0].Reports
			require.Len(t, reports, 4)
			require.True(t, *reports[0].Succeeded)
			require.False(t, *reports[2].Succeeded)
			require.NotNil(t, reports[2].ReportedAt)
			require.Nil(t, reports[3].Succeeded)

			if c.spoil != "" {
				execute(t, s.connect(), c.spoil)
			}
			s.ok("round", "report", "load", "c")
			o := s.run("round", "report", "load", "d")
			require.Equal(t, 1, o.code, o.err)
			require.Regexp(t, "^outcome  Failed\nreason   .*"+c.why, o.out)
			require.Regexp(t, "(?m)^load +2 +a, b, c, d .*Failed.*"+c.why, s.ok("round"))
			require.Contains(t, s.run("round", "report", "load", "d", "-o=json").out, `"outcome": "Waiting"`)
		})
	}
}
