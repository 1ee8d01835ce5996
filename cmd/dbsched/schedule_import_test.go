package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// foreignJobs returns a job that can be imported, and one that cannot.
func foreignJobs() []dialects.ForeignJob {
	return []dialects.ForeignJob{
		{
			Name: "Nightly load", Notes: []string{"its owner is sa"}, Disable: "EXEC stop_it;",
			Schedule: dialects.NewSchedule{
				Name: "Nightly load", Calendar: "0 2 * * *", Zone: "UTC", Overlap: "Skip", Missed: "None", Disabled: true,
				Process: dialects.NewProcess{OnError: "Halt"}, Tasks: []dialects.NewTask{{SQL: "EXEC a", Order: 100}, {SQL: "EXEC b", Order: 200}},
			},
		},
		{
			Name: "../copy it's", Obstacles: []string{"step 1 (c) is of subsystem CmdExec: a task is SQL", "nothing of it can be a task"}, Disable: "EXEC stop_it;",
			Schedule: dialects.NewSchedule{Name: "../copy it's", Disabled: true, Calendar: "@daily"},
		},
	}
}

func TestScheduleImportUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"say which jobs: --agent JOB or --agent all on SQL Server, --jobs NAME or --jobs all on Oracle": {},
		"say which jobs": {"--agent=all", "--jobs=all"},
		"choose one of --to and --apply. To create a schedule of a file, run 'dbsched schedule add --file FILE --disabled'": {"--agent=all", "--to=x", "--apply"},
		"there are no jobs of SQL Server Agent, or you are not allowed to see them":                                         {"--agent=ALL"},
		`there is no job "x y" of DBMS_SCHEDULER, or you are not allowed to see it`:                                         {"--jobs=x y"},
	} {
		t.Run(want, func(t *testing.T) {
			var r run
			r.do(t, append(append([]string{"schedule", "import"}, args...), dsn)...)
			require.Equal(t, cli.ExitUsage, r.code, r.err)
			require.Contains(t, r.err, want)
			require.Empty(t, r.out)
		})
	}
}

// TestScheduleImportPrints: it prints plans for jobs, and sends nothing that changes anything.
func TestScheduleImportPrints(t *testing.T) {
	r := run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, "schedule", "import", "--agent=all", "--zone=Europe/Warsaw", dsn)
	require.Equal(t, cli.ExitDone, r.code, r.err)
	require.Equal(t, []string{"foreign {Scheduler:SQL Server Agent Name: Zone:Europe/Warsaw}", "close"}, r.scheduler.calls)
	require.Equal(t, `# Job "Nightly load" of SQL Server Agent, as a plan of dbsched.
# its owner is sa
process: Nightly load
on-error: Halt
schedule:
  cron: "0 2 * * *"
  zone: UTC
  overlap: Skip
  missed: None
waves:
  - order: 100
    tasks:
      - sql: "EXEC a"
  - order: 200
    tasks:
      - sql: "EXEC b"
---
# Job "../copy it's" of SQL Server Agent, as a plan of dbsched.
# NOT THE SAME: step 1 (c) is of subsystem CmdExec: a task is SQL
# NOT THE SAME: nothing of it can be a task
process: "../copy it's"
schedule:
  cron: "@daily"
waves:
`, r.out)

	r = run{scheduler: fakeScheduler{foreign: foreignJobs()[:1]}}
	r.do(t, "schedule", "import", "--jobs=SALES.LOAD", "-o=json", dsn)
	require.Equal(t, "foreign {Scheduler:DBMS_SCHEDULER Name:SALES.LOAD Zone:}", r.scheduler.calls[0])
	require.Contains(t, r.out, `"created": false`)
	require.Contains(t, r.out, `"obstacles": []`)
	require.Contains(t, r.out, `"resume": "dbsched schedule resume 'Nightly load'"`)
}

// TestScheduleImportApplies creates disabled schedules for the jobs that can be imported.
func TestScheduleImportApplies(t *testing.T) {
	r := run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, "schedule", "import", "--agent=all", "--apply", dsn)
	require.Equal(t, cli.ExitDone, r.code, r.err)
	created := `^CreateSchedule Name=Nightly load Calendar=0 2 \* \* \* Tasks=.* Zone=UTC Overlap=Skip Missed=None .*Enabled=false$`
	require.Regexp(t, created, r.scheduler.calls[1])
	require.Equal(t, 1, strings.Count(strings.Join(r.scheduler.calls, "\n"), "CreateSchedule"))
	require.Equal(t, `job           Nightly load
created       schedule Nightly load, disabled
note          its owner is sa
stop the job  EXEC stop_it;
then          dbsched schedule resume 'Nightly load'

job      ../copy it's
created  nothing
because  step 1 (c) is of subsystem CmdExec: a task is SQL
because  nothing of it can be a task
`, r.out)

	r = run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, "schedule", "import", "--agent=all", "--apply", dsn, "-o=json")
	require.Contains(t, r.out, `"created": true`)
	require.Contains(t, r.out, `"disable": "EXEC stop_it;"`)

	r = run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, "schedule", "import", "--agent=all", "--apply", dsn, "--dry-run")
	require.Equal(t, cli.ExitDone, r.code, r.err)
	require.Contains(t, r.out, "-- call\nCreateSchedule Name=Nightly load ")
	require.NotContains(t, r.out, "disabled\n", "it is not created")

	r = run{scheduler: fakeScheduler{err: errors.New("no right")}}
	r.do(t, "schedule", "import", "--agent=all", dsn)
	require.NotEqual(t, cli.ExitDone, r.code)
	require.Contains(t, r.err, "no right")
}

// TestScheduleImportWrites writes a file for each job to a folder, and overwrites none.
func TestScheduleImportWrites(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "plans")
	args := []string{"schedule", "import", "--agent=all", "--to", folder, dsn}
	r := run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, args...)
	require.Equal(t, cli.ExitDone, r.code, r.err)
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
		require.Contains(t, r.err, f.Name())
	}
	require.Equal(t, []string{"Nightly-load.yaml", "copy-it-s.yaml"}, names)

	r = run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, args...)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "the plan of job Nightly load cannot be written: ")
	require.Contains(t, r.err, "exists")

	r = run{scheduler: fakeScheduler{schedules: []dialects.Schedule{{Name: "Nightly load"}}}}
	r.do(t, "schedule", "add", "--file", filepath.Join(folder, "Nightly-load.yaml"), "--disabled", dsn)
	require.Equal(t, cli.ExitDone, r.code, r.err)
	require.Regexp(t, `^CreateSchedule Name=Nightly load Calendar=0 2 \* \* \* Tasks=.* Zone=UTC Overlap=Skip Missed=None .*Enabled=false$`, r.scheduler.calls[0])

	r = run{scheduler: fakeScheduler{foreign: foreignJobs()}}
	r.do(t, "schedule", "import", "--agent=all", "--to", filepath.Join(folder, "copy-it-s.yaml", "x"), dsn)
	require.Equal(t, cli.ExitUsage, r.code)
	require.Contains(t, r.err, "cannot be made")
}

// TestScheduleImportLife imports with the built program: as printed, as applied, resumed as the program says, and run.
func TestScheduleImportLife(t *testing.T) {
	t.Parallel()
	for dialect, c := range map[string]struct {
		make []string
		jobs string
	}{
		"mssql": {jobs: "--agent=Nightly load", make: []string{
			"EXEC msdb.dbo.sp_add_job @job_name = N'Nightly load';",
			"DECLARE @Here sysname = DB_NAME(); EXEC msdb.dbo.sp_add_jobstep @job_name = N'Nightly load', @step_name = N'a', @database_name = @Here, @command = N'SELECT 1;', @on_success_action = 3; " +
				"EXEC msdb.dbo.sp_add_jobstep @job_name = N'Nightly load', @step_name = N'b', @database_name = N'msdb', @command = N'SELECT 2;', @on_success_action = 3; " +
				"EXEC msdb.dbo.sp_add_jobstep @job_name = N'Nightly load', @step_name = N'c', @database_name = @Here, @command = N'SELECT 3;';",
			"EXEC msdb.dbo.sp_add_schedule @schedule_name = N'Nightly', @freq_type = 4, @freq_interval = 1, @active_start_time = 20000;",
			"EXEC msdb.dbo.sp_attach_schedule @job_name = N'Nightly load', @schedule_name = N'Nightly'; EXEC msdb.dbo.sp_add_jobserver @job_name = N'Nightly load';",
		}},
		"oracle": {jobs: "--jobs=nightly_load", make: []string{
			"begin dbms_scheduler.create_job(job_name => 'nightly_load', job_type => 'PLSQL_BLOCK', job_action => 'null;', repeat_interval => 'freq=daily;byhour=2;byminute=0;bysecond=0', enabled => true); end;",
		}},
	} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			s := serveEngine(t, dialect)
			s.ok("install", "--lanes=1")
			s.ok("start")
			db := s.connect()
			for _, text := range c.make {
				execute(t, db, text)
			}
			require.Contains(t, s.ok("schedule", "import", c.jobs), "\nschedule:\n")
			require.Empty(t, data[[]dialects.Schedule](s, "schedule", "list"))
			done := data[[]imported](s, "schedule", "import", c.jobs, "--apply")
			require.Len(t, done, 1)
			require.True(t, done[0].Created, done[0].Obstacles)
			require.Equal(t, "Disabled", data[[]dialects.Schedule](s, "schedule", "list")[0].Status)
			execute(t, db, done[0].Disable)
			s.ok("schedule", "resume", done[0].Schedule)
			require.Equal(t, "Enabled", data[[]dialects.Schedule](s, "schedule", "list")[0].Status)
			o := s.run("schedule", "import", c.jobs, "--apply")
			require.Equal(t, cli.ExitRefused, o.code, "there is one of that name")
			require.Contains(t, o.out, "there is a schedule ")
			require.Contains(t, s.ok("schedule", "import", c.jobs), "it is disabled")
		})
	}
}
