package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

const scheduledPlan = `process: nightly
weight: 2
max-parallel: 3
on-error: continue
schedule: {cron: "0 2 * * *", zone: Europe/Warsaw, overlap: queue, missed: all}
waves:
- tasks: [EXEC a]
`

func TestScheduleUsage(t *testing.T) {
	plain, broken := planFile(t, ""), planFile(t, "process: p\nschedule: {zone: UTC}\nwaves: [{tasks: [x]}]\n")
	urgent := planFile(t, strings.Replace(scheduledPlan, "weight: 2", "priority: 2", 1))
	add := func(args ...string) []string {
		return append([]string{"schedule", "add", "n", "--cron=x", dsn}, args...)
	}
	for want, args := range map[string][]string{
		"say what the schedule starts: --sql or --file":                                    {"schedule", "add", "n", "--cron=x", dsn},
		"the schedule needs a name":                                                        {"schedule", "add", "--cron=x", "--sql=y", dsn},
		`say when the schedule fires: --cron "0 2 * * *"`:                                  {"schedule", "add", "n", "--sql=y", dsn},
		plain + " has no schedule. Add one, or say when it fires":                          {"schedule", "add", "--file", plain, dsn},
		broken + ":2:11: cron is missing in the schedule":                                  {"schedule", "add", "--file", broken, dsn},
		urgent + ": a schedule starts its processes with priority 0":                       {"schedule", "add", "--file", urgent, dsn},
		"no such file or directory":                                                        {"schedule", "alter", "n", "--file", plain + ".not", dsn},
		"choose one of --sql and --file":                                                   add("--sql=y", "--file", plain),
		`--overlap is "Wait"; it must be Skip or Queue or Allow`:                           add("--sql=y", "--overlap=Wait"),
		`--missed is "Some"; it must be Once or None or All`:                               add("--sql=y", "--missed=Some"),
		`--on-error is "Stop"; it must be Halt or Continue`:                                add("--sql=y", "--on-error=Stop"),
		"--weight is 0; it must be between 1 and 1000":                                     add("--sql=y", "--weight=0"),
		"--max-parallel is 0; it must be at least 1":                                       add("--sql=y", "--max-parallel=0"),
		"--order needs --sql":                                                              add("--order=3", "--file", plain),
		"--timeout needs --sql":                                                            {"schedule", "alter", "n", "--timeout=1m", dsn},
		"the SQL is empty":                                                                 add("--sql= "),
		"--max-attempts is 0; it must be at least 1":                                       add("--sql=y", "--max-attempts=0"),
		"wrong number of arguments. Usage: dbsched schedule alter NAME [flags]":            {"schedule", "alter", dsn},
		"wrong number of arguments. Usage: dbsched schedule pause NAME [flags]":            {"schedule", "pause", dsn},
		"wrong number of arguments. Usage: dbsched schedule show NAME [flags]":             {"schedule", "show", dsn},
		"--limit is -1; it must be 0 or more":                                              {"schedule", "show", "n", "--limit=-1", dsn},
		"give the name of a schedule, or --cron":                                           {"schedule", "next", dsn},
		"give the name of a schedule, or --cron\n":                                         {"schedule", "next", "n", "--cron=x", dsn},
		`--begin is "soon"; it must look like 2026-11-20T22:00:00Z`:                        {"schedule", "add", "n", "--cron=@daily", "--sql=x", "--begin=soon", dsn},
		`--end is "2026-12-31"; it must look like`:                                         {"schedule", "alter", "n", "--end=2026-12-31", dsn},
		"--zone, --begin and --end need --cron":                                            {"schedule", "next", "n", "--zone=UTC", dsn},
		"--count is 101; it must be between 1 and 100":                                     {"schedule", "next", "n", "--count=101", dsn},
		`unknown command "foo" for "dbsched schedule"`:                                     {"schedule", "foo", dsn},
		"Remove schedule n on fakehost as u? No terminal to confirm on. Repeat with --yes": {"schedule", "remove", "n", dsn},
		"unknown flag: --enabled":                                                          add("--sql=y", "--enabled"),
		`invalid argument "x" for "--weight" flag`:                                         add("--sql=y", "--weight=x"),
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

func TestScheduleCallsReachTheDialect(t *testing.T) {
	plan := planFile(t, scheduledPlan)
	task := func(sql string, order int) string {
		return fmt.Sprintf(`Tasks=\[{"SQL":"%s","ExecutionOrder":%d`, sql, order)
	}
	for want, args := range map[string][]string{
		`CreateSchedule Name=n Calendar=@daily ` + task("x", 1) + `}]$`:                                                                              {"add", "n", "--cron=@daily", "--sql=x"},
		`CreateSchedule Name=n Calendar=@daily ` + task("x", 7) + `}] Overlap=Queue Missed=All Enabled=false$`:                                       {"add", "n", "--cron=@daily", "--sql=x", "--overlap=queue", "--missed=ALL", "--disabled", "--order=7"},
		`CreateSchedule Name=nightly Calendar=0 2 . . . ` + task("EXEC a", 100) + `.* Zone=Europe/Warsaw Overlap=Queue Missed=All `:                  {"add", "--file", plan},
		`CreateSchedule Name=mine Calendar=@daily ` + task("EXEC a", 100) + `.* Zone=UTC Overlap=Skip Missed=None `:                                  {"add", "mine", "--file", plan, "--cron=@daily", "--zone=UTC", "--overlap=Skip", "--missed=None"},
		`CreateSchedule Name=n Calendar=every day ` + task("x", 1) + `}] BeginAt=2026-01-31 05:00:00 .0000 UTC EndAt=2026-12-31 23:59:59 .0000 UTC$`: {"add", "n", "--cron=every day", "--sql=x", "--begin=2026-01-31T06:00:00+01:00", "--end=2026-12-31T23:59:59Z"},
		`AlterSchedule Name=n EndAt=9999-12-31 00:00:00 .0000 UTC$`:                                                                                  {"alter", "n", "--end=None"},
		`AlterSchedule Name=n BeginAt=2026-01-31 05:00:00 .0000 UTC$`:                                                                                {"alter", "n", "--begin=2026-01-31T05:00:00Z"},
		`AlterSchedule Name=n Missed=None$`: {"alter", "n", "--missed=none"},
		`AlterSchedule Name=n Calendar=0 2 . . . ` + task("EXEC a", 100) + `.* Zone=Europe/Warsaw Overlap=Queue Missed=All `: {"alter", "n", "--file", plan},
		"SetScheduleEnabled Name=n Enabled=false$": {"pause", "n"},
		"SetScheduleEnabled Name=n Enabled=true$":  {"resume", "n"},
		"RunSchedule Name=n$":                      {"run", "n"},
		"DropSchedule Name=n$":                     {"remove", "n", "--yes"},
	} {
		t.Run(want, func(t *testing.T) {
			r := run{scheduler: fakeScheduler{schedules: []dialects.Schedule{{Name: "n"}}}}
			r.do(t, append(append([]string{"schedule"}, args...), dsn)...)
			require.Equal(t, cli.ExitDone, r.code, r.err)
			require.Regexp(t, "^"+want, r.scheduler.calls[0])

			r = run{scheduler: fakeScheduler{err: errors.New("sent")}}
			r.do(t, append(append([]string{"schedule"}, args...), dsn, "--dry-run")...)
			require.Equal(t, cli.ExitDone, r.code, r.err)
			require.Regexp(t, "(?m)\\A-- call\n"+want, r.out)
			require.Equal(t, 1, strings.Count(r.out, "-- call"), r.out)
		})
	}
	var r run
	r.do(t, "schedule", "add", "--file", plan, "--weight=5", dsn, "--dry-run")
	require.Contains(t, r.out, " OnError=Continue Weight=5 MaxParallel=3", "flags win over the plan")
}

// TestScheduleOutput shows what a person reads: a running schedule, a suspended one, and what a schedule has done.
func TestScheduleOutput(t *testing.T) {
	at := time.Date(2026, 11, 22, 1, 0, 0, 0, time.UTC)
	end, next, ends := at.Add(95*time.Second), at.AddDate(0, 0, 1), at.AddDate(1, 0, 0)
	r := run{ctx: t.Context(), scheduler: fakeScheduler{
		schedules: []dialects.Schedule{
			{
				ID: 1, Name: "nightly\x1b[31m", Calendar: "0 2 * * *", Zone: "Europe/Warsaw", Status: "Enabled", NextAt: &next, NextLocal: "2026-11-23 02:00:00 +01:00",
				BeginAt: at.AddDate(0, -1, 0), EndAt: &ends, LastDueAt: &at, LastProcessID: 7,
				LastStatus: "Succeeded", LastFinishedAt: &end, Running: 1, Waiting: 1, Fired: 30, Skipped: 2, Missed: 1, Overlap: "Queue", MissedPolicy: "Once", Tasks: `[{"SQL":"EXEC a"}]`, OnError: "Halt", Weight: 1, OwnedBy: "etl",
			},
			{ID: 2, Name: "month end", Calendar: "0 6 L * *", Zone: "UTC", Status: "Suspended", Reason: "its owner [gone] no longer exists", BeginAt: at, Overlap: "Skip", MissedPolicy: "None", OnError: "Halt", Weight: 1, OwnedBy: "gone"},
		},
		firings: []dialects.Firing{
			{ID: 11, Schedule: "nightly", DueAt: at, Status: "Succeeded", LoggedAt: at, ProcessID: 7, FinishedAt: &end},
			{ID: 12, Schedule: "nightly", DueAt: end, Manual: true, Status: "Starting", LoggedAt: end},
			{ID: 13, Schedule: "nightly", DueAt: next, Status: "Missed", LoggedAt: next, Detail: "and all others until 2026-11-24 00:00:00 UTC"},
		},
	}}
	for name, args := range map[string][]string{"schedules": {"list"}, "schedule": {"show", "nightly"}} {
		for _, format := range []string{"table", "json"} {
			t.Run(name+" "+format, func(t *testing.T) {
				r.do(t, append([]string{"schedule"}, append(args, dsn, "--utc", "-o", format)...)...)
				require.Equal(t, cli.ExitDone, r.code, r.err)
				golden(t, name+"."+format, r.out)
			})
		}
	}
	r.scheduler.schedules = nil
	r.do(t, "schedule", "show", "gone", dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, `there is no schedule "gone", or you are not allowed to see it.`)
}

// TestStatusCountsSchedules: nothing about schedules where none exist or they are hidden, and what is wrong with them decides what to do.
func TestStatusCountsSchedules(t *testing.T) {
	r := run{scheduler: fakeScheduler{status: dialects.Status{Started: true}}}
	require.NotContains(t, r.do(t, "status", dsn).out, "schedules")
	at := time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC)
	r.scheduler.counts = dialects.ScheduleCounts{Enabled: 2, Late: 1, NextAt: &at, Next: "nightly"}
	r.do(t, "status", dsn, "--utc")
	require.Regexp(t, `(?m)^schedules +2 enabled, 1 late; next nightly at 2026-11-22 02:00:00\.000Z\nnext +dbsched verify$`, r.out)
	r.scheduler.counts = dialects.ScheduleCounts{Disabled: 1, Suspended: 2}
	require.Regexp(t, `(?m)^schedules +1 paused, 2 suspended\nnext +dbsched schedule list$`, r.do(t, "status", dsn).out)
	r.scheduler.status.Alarms = 1
	require.Regexp(t, `(?m)^next +dbsched alarms$`, r.do(t, "status", dsn).out)
	r.scheduler.failAt = "count schedules"
	require.Equal(t, cli.ExitRefused, r.do(t, "status", dsn).code, "a lost connection")
}

func TestRunIgnoresTheSchedule(t *testing.T) {
	var r run
	r.do(t, "run", planFile(t, scheduledPlan), dsn)
	require.Equal(t, cli.ExitDone, r.code)
	require.Equal(t, "dbsched: warning: schedule: is ignored by run; use dbsched schedule add\n", r.err)
	require.Contains(t, r.scheduler.calls[0], "submit {Name:nightly ")
}

// TestScheduleLife takes a schedule through its life with the built program: created, fired by its calendar and by hand, paused, altered, removed.
func TestScheduleLife(t *testing.T) {
	t.Parallel()
	for _, e := range []engine{mssqlEngine, oracleEngine} {
		t.Run(e.dialect.Name(), func(t *testing.T) {
			t.Parallel()
			scheduleLife(t, e)
		})
	}
}

func scheduleLife(t *testing.T, e engine) {
	t.Helper()
	c := serveEngine(t, e.dialect.Name(), "--clock=fast")
	c.ok("install", "--lanes=2")
	c.ok("start")
	type shown struct {
		dialects.Schedule
		Firings []dialects.Firing `json:"firings"`
	}
	show := func(name string) shown { return data[shown](c, "schedule", "show", name) }
	// While a client waits for a sleeping task, time jumps ahead.
	pass := func(d time.Duration) {
		for ; d > 0; d -= time.Hour {
			id := data[struct{ ID int64 }](c, "exec", e.dialect.Sleep(min(d, time.Hour)), "--order=1").ID
			require.NotZero(t, id)
			c.ok("wait", "1", "--timeout=2h")
		}
	}
	require.Empty(t, data[[]dialects.Schedule](c, "schedule", "list"))
	require.NotContains(t, c.ok("status"), "schedules")

	nothing := e.dialect.Sleep(time.Second)
	require.Contains(t, c.ok("schedule", "add", "often", "--cron=*/10 * * * *", "--sql", nothing), "calendar")
	c.refused(4, "there is a schedule ", "schedule", "add", "often", "--cron=@daily", "--sql", nothing)
	c.refused(4, "field 1 (minute)", "schedule", "add", "bad", "--cron=99 * * * *", "--sql", nothing)
	plan := planFile(t, fmt.Sprintf("process: load\nschedule: {cron: \"0 6 L * *\", zone: Europe/Warsaw, overlap: Queue}\nwaves:\n- tasks: [%q, %[1]q]\n- tasks: [%[1]q]\n", nothing))
	o := c.run("schedule", "add", "--file", plan)
	require.Zero(t, o.code, o.err)
	if e.dialect.Name() == "mssql" {
		require.Contains(t, o.err, "time zone Europe/Warsaw is Central European Standard Time on this server")
	}
	require.Regexp(t, `(?m)^schedules +2 enabled; next often at `, c.ok("status"))

	pass(25 * time.Minute)
	often := show("often")
	require.GreaterOrEqual(t, len(often.Firings), 2)
	require.Equal(t, "Succeeded", often.Firings[0].Status)
	require.Equal(t, succeeded, data[[]dialects.Process](c, "processes", "--process", fmt.Sprint(often.Firings[0].ProcessID))[0].Status)
	require.Contains(t, c.ok("schedule", "list"), "Succeeded")

	c.ok("schedule", "pause", "often")
	require.Equal(t, "Disabled", show("often").Status)
	before := len(show("often").Firings)
	pass(time.Hour)
	require.Len(t, show("often").Firings, before)
	require.Regexp(t, `(?m)^schedules +1 enabled, 1 paused; next load at `, c.ok("status"))
	require.Regexp(t, `(?m)^OK +schedules: 1 enabled, 1 paused$`, c.ok("verify"))

	require.Empty(t, show("load").Firings)
	c.ok("schedule", "run", "load")
	pass(time.Minute)
	by := show("load").Firings
	require.Len(t, by, 1)
	require.True(t, by[0].Manual)
	require.Equal(t, "Succeeded", by[0].Status)
	require.EqualValues(t, 3, data[[]dialects.Process](c, "processes", "--process", fmt.Sprint(by[0].ProcessID))[0].Succeeded)

	instants := data[[]instant](c, "schedule", "next", "load", "--count=3")
	require.Len(t, instants, 3)
	for _, i := range instants {
		require.Contains(t, i.Local, " 06:00:00 +0")
	}
	require.Equal(t, instants, data[[]instant](c, "schedule", "next", "--cron=0 6 L * *", "--zone=Europe/Warsaw", "--count=3"))

	c.ok("schedule", "alter", "often", "--cron=every 20 minutes", "--missed=none", "--overlap=allow")
	c.ok("schedule", "resume", "often")
	altered := show("often")
	require.Equal(t, []string{"Enabled", "every 20 minutes", "None", "Allow"}, []string{altered.Status, altered.Calendar, altered.MissedPolicy, altered.Overlap})
	require.Contains(t, get(t, c.listen("metrics")), "dbsched_schedules{status=\"Enabled\"} 2\n")

	c.refused(2, "--yes", "schedule", "remove", "often")
	c.ok("schedule", "remove", "often", "--yes")
	c.refused(2, `there is no schedule "often"`, "schedule", "show", "often")
	require.Len(t, data[[]dialects.Schedule](c, "schedule", "list"), 1)
}
