package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// foreignSource is a job of three steps in a scheduler of the server's own, made as the vendor's examples make one.
type foreignSource struct {
	from     dialects.Foreign
	grants   []string // statements of an administrator
	make     []string
	state    string // query: all that the server keeps of it
	disable  string // what the import prints
	disabled string // query: 0 if it is disabled
	waves    string
	schedule dialects.NewSchedule // without its tasks
	clean    []string
}

// agentJob is "Create a job" of the documentation (learn.microsoft.com/ssms/agent/create-a-job), with three steps, each going on to the next.
func agentJob(h *harness) foreignSource {
	step := func(n int) string {
		next := 3
		if n == 3 {
			next = 1
		}
		return fmt.Sprintf("EXEC msdb.dbo.sp_add_jobstep @job_name = N'Nightly load', @step_name = N'step %d', @subsystem = N'TSQL', @database_name = @Here, "+
			"@command = N'%s', @on_success_action = %d, @retry_attempts = %d, @retry_interval = 1;\n", n, h.say.mark(n), next, 2-n/2)
	}
	return foreignSource{
		from: dialects.Foreign{Scheduler: dialects.Agent, Name: "Nightly load"},
		make: []string{
			"EXEC msdb.dbo.sp_add_job @job_name = N'Nightly load', @description = N'Three steps';",
			"DECLARE @Here sysname = DB_NAME();\n" + step(1) + step(2) + step(3),
			"EXEC msdb.dbo.sp_add_schedule @schedule_name = N'Nightly', @freq_type = 4, @freq_interval = 1, @active_start_time = 013000;",
			"EXEC msdb.dbo.sp_attach_schedule @job_name = N'Nightly load', @schedule_name = N'Nightly';",
			"EXEC msdb.dbo.sp_add_jobserver @job_name = N'Nightly load';",
		},
		state: "SELECT j.name, j.enabled, j.date_modified, j.version_number, s.step_name, s.command, s.last_run_outcome, c.enabled, c.date_modified, c.active_start_time " +
			"FROM msdb.dbo.sysjobs AS j INNER JOIN msdb.dbo.sysjobsteps AS s ON s.job_id = j.job_id INNER JOIN msdb.dbo.sysjobschedules AS x ON x.job_id = j.job_id " +
			"INNER JOIN msdb.dbo.sysschedules AS c ON c.schedule_id = x.schedule_id WHERE j.name = N'Nightly load' ORDER BY s.step_id;",
		disable:  "EXEC msdb.dbo.sp_update_job @job_name = N'Nightly load', @enabled = 0;",
		disabled: "SELECT CAST(j.enabled AS int) FROM msdb.dbo.sysjobs AS j WHERE j.name = N'Nightly load';",
		waves:    "1 2 3",
		schedule: dialects.NewSchedule{
			Name: "Nightly load", Calendar: "30 1 * * *", Zone: "UTC", Overlap: "Skip", Missed: "None", Disabled: true, Process: dialects.NewProcess{OnError: "Halt"},
		},
		clean: []string{"EXEC msdb.dbo.sp_delete_job @job_name = N'Nightly load';"},
	}
}

// oracleChain is the chain of "Examples of Creating Chains" (Administrator's Guide, Administering Oracle Scheduler).
func oracleChain(h *harness) foreignSource {
	program := func(n int, text string) string {
		return fmt.Sprintf("begin dbms_scheduler.create_program('my_program%d', 'PLSQL_BLOCK', '%s', enabled => true); end;", n, text)
	}
	return foreignSource{
		from:   dialects.Foreign{Scheduler: dialects.Jobs, Name: "chain_job_1"},
		grants: []string{"grant create evaluation context, create rule set, create rule to " + h.schema},
		make: []string{
			program(1, h.say.mark(1)+";"), program(2, "begin "+h.say.mark(2)+"; end;"), program(3, "declare n number := 3; begin "+h.say.mark(3)+"; end;"),
			"begin dbms_scheduler.create_chain(chain_name => 'my_chain1', rule_set_name => null, evaluation_interval => null, comments => null); end;",
			"begin dbms_scheduler.define_chain_step('my_chain1', 'stepA', 'my_program1'); dbms_scheduler.define_chain_step('my_chain1', 'stepB', 'my_program2'); " +
				"dbms_scheduler.define_chain_step('my_chain1', 'stepC', 'my_program3'); end;",
			"begin dbms_scheduler.define_chain_rule('my_chain1', 'TRUE', 'START stepA'); dbms_scheduler.define_chain_rule('my_chain1', 'stepA COMPLETED', 'Start stepB, stepC'); " +
				"dbms_scheduler.define_chain_rule('my_chain1', 'stepB COMPLETED AND stepC COMPLETED', 'END'); end;",
			"begin dbms_scheduler.enable('my_chain1'); end;",
			"begin dbms_scheduler.create_job(job_name => 'chain_job_1', job_type => 'CHAIN', job_action => 'my_chain1', " +
				"start_date => timestamp '2020-01-01 00:00:00 Europe/Warsaw', repeat_interval => 'freq=daily;byhour=13;byminute=0;bysecond=0', enabled => true); end;",
		},
		state: "select j.enabled, j.state, j.run_count, to_char(j.next_run_date), c.enabled, s.step_name, s.program_name, p.enabled, p.program_action " +
			"from user_scheduler_jobs j cross join user_scheduler_chains c inner join user_scheduler_chain_steps s on s.chain_name = c.chain_name " +
			"inner join user_scheduler_programs p on p.program_name = s.program_name where j.job_name = 'CHAIN_JOB_1' order by s.step_name",
		disable:  fmt.Sprintf(`begin dbms_scheduler.disable('"%s"."CHAIN_JOB_1"'); end;`, h.schema),
		disabled: "select count(*) from user_scheduler_jobs j where j.job_name = 'CHAIN_JOB_1' and j.enabled = 'TRUE'",
		waves:    "1 2 2",
		schedule: dialects.NewSchedule{
			Name: "CHAIN_JOB_1", Calendar: "freq=daily;byhour=13;byminute=0;bysecond=0", Zone: "EUROPE/WARSAW", Overlap: "Skip", Missed: "Once", Disabled: true,
			Process: dialects.NewProcess{OnError: "Continue"},
		},
	}
}

// TestScheduleImport takes over a job of the server's own scheduler: reading it changes nothing, its schedule does what the job did.
func TestScheduleImport(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		source := map[string]func(*harness) foreignSource{"mssql": agentJob, "oracle": oracleChain}[h.dialect.Name()](h)
		for _, text := range source.grants {
			h.admin().exec(text)
		}
		s := h.session()
		s.exec(h.say.marks[0])
		for _, text := range source.make {
			s.exec(text)
		}
		if h.server.box == nil {
			h.Cleanup(func() {
				for _, text := range source.clean {
					_ = s.try(text)
				}
			})
		}

		before := s.rows(source.state)
		require.Len(h, before, 3)
		var tasks []dialects.NewTask
		for _, name := range []string{source.from.Name, ""} {
			source.from.Name = name
			jobs, err := h.sched.ForeignJobs(h.Context(), source.from)
			require.NoError(h, err)
			require.Len(h, jobs, 1, name)
			require.Empty(h, jobs[0].Obstacles)
			require.Equal(h, source.disable, jobs[0].Disable)
			got := jobs[0].Schedule
			require.Len(h, got.Tasks, 3)
			tasks, got.Tasks = got.Tasks, nil
			require.Equal(h, source.schedule, got)
		}
		require.Equal(h, before, s.rows(source.state), "nothing is changed")
		all, err := h.sched.Schedules(h.Context(), "")
		require.NoError(h, err)
		require.Empty(h, all, "nothing is installed")

		source.schedule.Tasks = tasks
		h.schedule(source.schedule)
		require.Equal(h, "Disabled", h.scheduleOf(source.schedule.Name).Status)
		s.exec(source.disable)
		require.Equal(h, "0", s.value(source.disabled))
		h.pause(time.Hour)
		require.Empty(h, h.firings(source.schedule.Name), "it waits for somebody who resumes it")
		require.Empty(h, s.rows(h.say.markRead))

		require.NoError(h, h.sched.SetScheduleEnabled(h.Context(), source.schedule.Name, true))
		h.pauseUntil(h.scheduleOf(source.schedule.Name).NextAt.Add(h.soon + time.Minute))
		fired := h.firings(source.schedule.Name)
		require.Len(h, fired, 1, h.report())
		require.Equal(h, "Succeeded", fired[0].Status, h.report())
		p := h.processOf(fired[0].ProcessID)
		require.EqualValues(h, 3, p.Succeeded)
		var orders []string
		var logs []dialects.LogEntry
		for _, l := range h.logs() {
			if l.ProcessID == p.ID {
				logs, orders = append(logs, l), append(orders, fmt.Sprint(l.Order/100))
			}
		}
		require.Equal(h, source.waves, strings.Join(orders, " "))
		h.requireWaves(logs)
		marks := s.rows(h.say.markRead)
		require.Equal(h, []string{"1"}, marks[0])
		require.ElementsMatch(h, [][]string{{"1"}, {"2"}, {"3"}}, marks)
		h.requireNoAlarms()
	})
}

// TestScheduleImportNames: a job that is not there, and a scheduler that the engine does not have.
func TestScheduleImportNames(t *testing.T) {
	each(t, setup{}, func(h *harness) {
		mine, others := dialects.Agent, dialects.Jobs
		if h.dialect.Name() == "oracle" {
			mine, others = others, mine
		}
		jobs, err := h.sched.ForeignJobs(h.Context(), dialects.Foreign{Scheduler: mine, Name: "no such job"})
		require.NoError(h, err)
		require.Empty(h, jobs)
		_, err = h.sched.ForeignJobs(h.Context(), dialects.Foreign{Scheduler: others})
		var usage *dialects.UsageError
		require.ErrorAs(h, err, &usage)
	})
}
