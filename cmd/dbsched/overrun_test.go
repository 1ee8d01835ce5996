package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// TestWarnsThatNothingEndsTasks: who gives a timeout, or gets the default one, or cancels what runs, is told once that it takes effect only
// when the task ends, and what changes that; also by a dry run, and never on standard output.
func TestWarnsThatNothingEndsTasks(t *testing.T) {
	const warning = "dbsched: warning: timeouts and cancellations do not end running tasks until a sysadmin allows it: sign it\n"
	limited := planFile(t, "process: p\nwaves:\n- {order: 1, tasks: [{sql: SELECT 1, timeout: 3s}, {sql: SELECT 2, timeout: 4s}]}\n")
	plain := planFile(t, "process: p\nwaves:\n- {order: 1, tasks: [SELECT 1]}\n")
	schedule := []string{"schedule", "add", "s", "--cron=@daily", "--sql=SELECT 1"}
	running := []dialects.Task{{ID: 7, Status: "Stopping"}}
	standard := dialects.Options{DefaultTimeoutSeconds: new(int64(60))}
	for name, c := range map[string]struct {
		args    []string
		options dialects.Options
		want    bool
	}{
		"plan":                         {[]string{"run", limited}, dialects.Options{}, true},
		"plan, dry":                    {[]string{"run", limited, "--dry-run"}, dialects.Options{}, true},
		"plan, JSON":                   {[]string{"run", limited, "-o", "json"}, dialects.Options{}, true},
		"plan without":                 {[]string{"run", plain}, dialects.Options{}, false},
		"plan without, default":        {[]string{"run", plain}, standard, true},
		"plan, default 0":              {[]string{"run", plain}, dialects.Options{DefaultTimeoutSeconds: new(int64(0))}, false},
		"task":                         {[]string{"exec", "SELECT 1", "--order=1", "--timeout=3s"}, dialects.Options{}, true},
		"task without":                 {[]string{"exec", "SELECT 1", "--order=1"}, dialects.Options{}, false},
		"schedule":                     {append(schedule, "--timeout=3s"), dialects.Options{}, true},
		"schedule without":             {schedule, dialects.Options{}, false},
		"schedule, default":            {schedule, standard, true},
		"schedule changed":             {[]string{"schedule", "alter", "s", "--sql=SELECT 1", "--timeout=3s"}, dialects.Options{}, true},
		"schedule, its calendar alone": {[]string{"schedule", "alter", "s", "--cron=@daily"}, standard, false},
		"default":                      {[]string{"options", "--default-timeout-seconds=60"}, standard, true},
		"no default":                   {[]string{"options", "--default-timeout-seconds=0"}, dialects.Options{}, false},
		"another option":               {[]string{"options", "--retention-days=7"}, standard, false},
		"cancel":                       {[]string{"cancel", "task", "7", "-y"}, dialects.Options{}, true},
		"stop now":                     {[]string{"stop", "--now", "-y"}, dialects.Options{}, true},
		"stop":                         {[]string{"stop", "-y"}, dialects.Options{}, false},
	} {
		for _, end := range []string{"sign it", ""} {
			r := run{scheduler: fakeScheduler{
				end: end, options: c.options, tasks: running, status: dialects.Status{Running: 1}, schedules: []dialects.Schedule{{Name: "s"}},
			}}
			r.do(t, append(c.args, dsn)...)
			require.Equal(t, cli.ExitDone, r.code, "%s: %s", name, r.err)
			want := 0
			if c.want && end != "" {
				want = 1
			}
			require.Equal(t, want, strings.Count(r.err, warning), "%s: %s", name, r.err)
			require.NotContains(t, r.out, "sysadmin", name)
		}
	}
}

// TestOverranOnTheSandbox: a timeout of three seconds on a task of a minute that nobody ends. Who enqueues is told, and every list marks it.
func TestOverranOnTheSandbox(t *testing.T) {
	t.Parallel()
	c := serveEngine(t, "mssql", "--clock=fast")
	c.ok("install", "--lanes=2")
	c.ok("start")
	plan := planFile(t, "process: nightly\nwaves:\n- {order: 100, tasks: [{sql: \"WAITFOR DELAY '00:01:00';\", timeout: 3s}]}\n")
	o := c.run("run", plan, "--wait", "--timeout=5m")
	require.Zero(t, o.code, o.err)
	require.Equal(t, 1, strings.Count(o.err, "until a sysadmin allows it: dbsched render --kill-script | sqlcmd"), o.err)
	mark := regexp.MustCompile(`Succeeded, overran 5\d s`)
	id := data[[]dialects.Task](c, "tasks", "--process=nightly")[0].ID
	for _, args := range [][]string{{"tasks"}, {"logs"}, {"timeline", "nightly"}, {"task", strconv.FormatInt(id, 10)}} {
		require.Regexp(t, mark, c.ok(args...), args)
	}
	require.InDelta(t, 57, *data[[]dialects.Task](c, "tasks", "--process=nightly")[0].Overran, 2)
	require.InDelta(t, 57, *data[[]dialects.LogEntry](c, "logs", "--process=nightly")[0].Overran, 2)
	require.Equal(t, []int64{id}, data[timelineResult](c, "timeline", "nightly").Overran)
	detail := data[taskDetail](c, "task", strconv.FormatInt(id, 10))
	require.EqualValues(t, 3, *detail.Timeout)
	require.Len(t, detail.Attempts, 1)
}
