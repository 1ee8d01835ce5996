package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// TestMSSQLImportInstants: an imported schedule first fires when the Agent would next run its job, whatever that takes from its first and last day.
func TestMSSQLImportInstants(t *testing.T) {
	onMSSQL(t, setup{stopped: true}, func(h *harness) {
		s := h.session()
		date := func(days int) string { return h.now().AddDate(0, 0, days).Format("20060102") }
		for i, form := range []string{
			"@freq_type = 4, @freq_interval = 1, @active_start_time = 013000", "@freq_type = 4, @freq_interval = 3, @active_start_time = 013000",
			"@freq_type = 4, @freq_interval = 3, @active_start_time = 013000, @active_start_date = " + date(17),
			"@freq_type = 4, @freq_interval = 1, @active_start_time = 013000, @active_start_date = " + date(17) + ", @active_end_date = " + date(30),
			"@freq_type = 4, @freq_interval = 1, @freq_subday_type = 4, @freq_subday_interval = 15, @active_start_date = " + date(2),
			"@freq_type = 4, @freq_interval = 1, @freq_subday_type = 8, @freq_subday_interval = 6, @active_start_time = 003000, @active_end_date = " + date(1),
			"@freq_type = 8, @freq_interval = 62, @freq_recurrence_factor = 1, @active_start_time = 220000",
			"@freq_type = 8, @freq_interval = 2, @freq_recurrence_factor = 1, @active_start_date = " + date(40),
			"@freq_type = 16, @freq_interval = 31, @freq_recurrence_factor = 1, @active_start_date = " + date(20),
			"@freq_type = 32, @freq_interval = 6, @freq_relative_interval = 2, @freq_recurrence_factor = 1",
			"@freq_type = 32, @freq_interval = 8, @freq_relative_interval = 16, @freq_recurrence_factor = 1, @active_start_date = " + date(70),
		} {
			name := fmt.Sprintf("job %d", i)
			s.exec(fmt.Sprintf("EXEC msdb.dbo.sp_add_job @job_name = N'%s';", name))
			s.exec(fmt.Sprintf("EXEC msdb.dbo.sp_add_jobstep @job_name = N'%s', @step_name = N'one', @subsystem = N'TSQL', @database_name = N'%s', @command = N'SELECT 1';", name, s.value("SELECT DB_NAME();")))
			s.exec(fmt.Sprintf("EXEC msdb.dbo.sp_add_schedule @schedule_name = N'%s', %s;", name, form))
			s.exec(fmt.Sprintf("EXEC msdb.dbo.sp_attach_schedule @job_name = N'%[1]s', @schedule_name = N'%[1]s';", name))
			s.exec(fmt.Sprintf("EXEC msdb.dbo.sp_add_jobserver @job_name = N'%s';", name))
			jobs, err := h.sched.ForeignJobs(h.Context(), dialects.Foreign{Scheduler: dialects.Agent, Name: name, Zone: "UTC"})
			require.NoError(h, err)
			require.Empty(h, jobs[0].Obstacles, form)
			h.schedule(jobs[0].Schedule)
			got := h.scheduleOf(name)
			next := s.value("SELECT CONVERT(varchar(20), js.next_run_date * CONVERT(bigint, 1000000) + js.next_run_time) FROM msdb.dbo.sysjobschedules AS js INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = js.job_id WHERE j.name = N'" + name + "';")
			require.Equal(h, next, got.NextAt.Format("20060102150405"), form)
			if got.EndAt != nil {
				all, err := h.sched.NextInstants(h.Context(), got.When(got.Zone), time.Time{}, 100)
				require.NoError(h, err)
				require.Equal(h, got.EndAt.Format(time.DateOnly), all[len(all)-1].Format(time.DateOnly), "the last day counts")
			}
		}
	})
}
