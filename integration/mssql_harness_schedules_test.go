package integration

import (
	"fmt"

	"github.com/dbsched/dbsched/dialects"
)

// agentJob is "Create a job" of the documentation (learn.microsoft.com/ssms/agent/create-a-job), with three steps, each leading to the next.
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
