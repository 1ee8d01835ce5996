package mssql

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/jobimport"
)

// The tables of SQL Server Agent (learn.microsoft.com, "SQL Server Agent tables").
const (
	agentServerQuery = `DECLARE @Zone nvarchar(128) = N'';
-- CURRENT_TIMEZONE_ID came with version 16; 8 is a managed instance.
IF CAST(SERVERPROPERTY('ProductMajorVersion') AS int) >= 16 OR CAST(SERVERPROPERTY('EngineEdition') AS int) = 8
    EXEC sys.sp_executesql N'SET @Zone = CURRENT_TIMEZONE_ID();', N'@Zone nvarchar(128) OUTPUT', @Zone OUTPUT;
SELECT DB_NAME(), @Zone, CAST(CONVERT(char(8), GETDATE(), 112) AS bigint);`
	agentJobs = `SELECT CONVERT(char(36), j.job_id), j.name, ISNULL(j.description, N''), ISNULL(SUSER_SNAME(j.owner_sid), N'unknown'), CAST(j.enabled AS bit), CAST(j.start_step_id AS bigint),
       CAST(j.delete_level AS bigint), CAST(j.notify_level_email AS bigint), ISNULL(e.name, N''), CAST(j.notify_level_page AS bigint), ISNULL(p.name, N''),
       CAST(j.notify_level_netsend AS bigint), ISNULL(n.name, N''), CAST(CASE WHEN v.job_id IS NULL THEN 0 ELSE 1 END AS bit)
FROM msdb.dbo.sysjobs AS j
LEFT JOIN msdb.dbo.sysoperators AS e ON e.id = j.notify_email_operator_id
LEFT JOIN msdb.dbo.sysoperators AS p ON p.id = j.notify_page_operator_id
LEFT JOIN msdb.dbo.sysoperators AS n ON n.id = j.notify_netsend_operator_id
LEFT JOIN msdb.dbo.sysjobservers AS v ON v.job_id = j.job_id AND v.server_id = 0
WHERE @name = N'' OR j.name = @name
ORDER BY j.name;`
	agentSteps = `SELECT CONVERT(char(36), s.job_id), CAST(s.step_id AS bigint), s.step_name, s.subsystem, ISNULL(s.command, N''), ISNULL(s.database_name, N'master'),
       ISNULL(s.database_user_name, N''), ISNULL(s.output_file_name, N''), ISNULL(x.name, N''), CAST(s.on_success_action AS bigint), CAST(s.on_success_step_id AS bigint),
       CAST(s.on_fail_action AS bigint), CAST(s.on_fail_step_id AS bigint), CAST(s.retry_attempts AS bigint), CAST(s.retry_interval AS bigint), CAST(s.flags AS bigint)
FROM msdb.dbo.sysjobsteps AS s
INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = s.job_id
LEFT JOIN msdb.dbo.sysproxies AS x ON x.proxy_id = s.proxy_id
WHERE @name = N'' OR j.name = @name
ORDER BY s.job_id, s.step_id;`
	agentSchedules = `SELECT CONVERT(char(36), js.job_id), c.name, CAST(c.enabled AS bit), CAST(c.freq_type AS bigint), CAST(c.freq_interval AS bigint), CAST(c.freq_subday_type AS bigint),
       CAST(c.freq_subday_interval AS bigint), CAST(c.freq_relative_interval AS bigint), CAST(c.freq_recurrence_factor AS bigint), CAST(c.active_start_date AS bigint),
       CAST(c.active_end_date AS bigint), CAST(c.active_start_time AS bigint), CAST(c.active_end_time AS bigint), CAST(ISNULL(js.next_run_date, 0) AS bigint)
FROM msdb.dbo.sysjobschedules AS js
INNER JOIN msdb.dbo.sysschedules AS c ON c.schedule_id = js.schedule_id
INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = js.job_id
WHERE @name = N'' OR j.name = @name
ORDER BY js.job_id, js.schedule_id;`
)

// ForeignJobs reads jobs of SQL Server Agent.
func (s *scheduler) ForeignJobs(ctx context.Context, from dialects.Foreign) ([]dialects.ForeignJob, error) {
	if from.Scheduler != dialects.Agent {
		return nil, dialects.Usagef("SQL Server has no %s. Its own scheduler is %s", from.Scheduler, dialects.Agent)
	}
	servers, err := client.Read(ctx, s.Client, s.DB, "the server's clock", agentServerQuery, nil, func(rows *sql.Rows) (v jobimport.AgentServer, err error) {
		return v, rows.Scan(&v.Database, &v.Zone, &v.Today)
	})
	if err != nil {
		return nil, err
	}
	server := servers[0]
	if from.Zone != "" {
		server.Zone = from.Zone
	}
	name := []any{sql.Named("name", from.Name)}
	steps := map[string][]jobimport.AgentStep{}
	if _, err := client.Read(ctx, s.Client, s.DB, "msdb.dbo.sysjobsteps", agentSteps, name, func(rows *sql.Rows) (st jobimport.AgentStep, err error) {
		var job string
		err = rows.Scan(&job, &st.ID, &st.Name, &st.Subsystem, &st.Command, &st.Database, &st.User, &st.Output, &st.Proxy, &st.OnSuccess, &st.SuccessStep, &st.OnFail, &st.FailStep,
			&st.Retries, &st.Minutes, &st.Flags)
		steps[job] = append(steps[job], st)
		return st, err
	}); err != nil {
		return nil, err
	}
	schedules := map[string][]jobimport.AgentSchedule{}
	if _, err := client.Read(ctx, s.Client, s.DB, "msdb.dbo.sysschedules", agentSchedules, name, func(rows *sql.Rows) (c jobimport.AgentSchedule, err error) {
		var job string
		err = rows.Scan(&job, &c.Name, &c.Enabled, &c.Type, &c.Interval, &c.Subday, &c.SubdayInterval, &c.Relative, &c.Recurrence, &c.StartDate, &c.EndDate, &c.StartTime, &c.EndTime, &c.NextRun)
		schedules[job] = append(schedules[job], c)
		return c, err
	}); err != nil {
		return nil, err
	}
	return client.Read(ctx, s.Client, s.DB, "msdb.dbo.sysjobs", agentJobs, name, func(rows *sql.Rows) (dialects.ForeignJob, error) {
		var j jobimport.AgentJob
		var id string
		var email, page, netsend notification
		var here bool
		err := rows.Scan(&id, &j.Name, &j.Description, &j.Owner, &j.Enabled, &j.StartStep, &j.DeleteLevel, &email.level, &email.operator, &page.level, &page.operator, &netsend.level, &netsend.operator, &here)
		j.Notify = append(append(email.text("e-mails"), page.text("pages")...), netsend.text("sends a network message to")...)
		if !here {
			j.Notify = append(j.Notify, "it has no target server here, so that the Agent does not run it")
		}
		j.Steps, j.Schedules = steps[id], schedules[id]
		return jobimport.Agent(j, server), err
	})
}

// notification is whom a job notifies of its end, and when.
type notification struct {
	level    int
	operator string
}

func (n notification) text(does string) []string {
	when := map[int]string{1: "when it succeeds", 2: "when it fails", 3: "when it ends"}[n.level]
	if when == "" {
		return nil
	}
	return []string{fmt.Sprintf("it %s operator %s %s", does, n.operator, when)}
}
