package mssql

import (
	"iter"
	"strconv"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/agent"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// registerAgentViews adds the tables of msdb that show jobs. They are read-only and not locked.
// Columns: learn.microsoft.com, "SQL Server Agent tables"; columns for what is not modeled show that there is none.
func (srv *Server) registerAgentViews() {
	for _, v := range []struct {
		name, columns string
		rows          func() [][]any
	}{
		{
			"sysjobs", "job_id uniqueidentifier, originating_server_id int, name sysname, enabled tinyint, description nvarchar(512)?, " +
				"start_step_id int, category_id int, owner_sid varbinary(85), notify_level_eventlog int, notify_level_email int, " +
				"notify_level_netsend int, notify_level_page int, notify_email_operator_id int, notify_netsend_operator_id int, " +
				"notify_page_operator_id int, delete_level int, date_created datetime, date_modified datetime, version_number int", srv.jobRows,
		},
		{
			"sysjobactivity", "session_id int, job_id uniqueidentifier, run_requested_date datetime?, run_requested_source sysname?, queued_date datetime?, " +
				"start_execution_date datetime?, last_executed_step_id int?, last_executed_step_date datetime?, stop_execution_date datetime?, " +
				"job_history_id int?, next_scheduled_run_date datetime?", srv.jobActivityRows,
		},
		{
			"sysjobhistory", "instance_id int, job_id uniqueidentifier, step_id int, step_name sysname, sql_message_id int, sql_severity int, " +
				"message nvarchar(4000)?, run_status int, run_date int, run_time int, run_duration int, operator_id_emailed int, " +
				"operator_id_netsent int, operator_id_paged int, retries_attempted int, server sysname", srv.jobHistoryRows,
		},
		{
			"sysjobsteps", "job_id uniqueidentifier, step_id int, step_name sysname, subsystem nvarchar(40), command nvarchar(max)?, flags int, " +
				"additional_parameters nvarchar(max)?, cmdexec_success_code int, on_success_action tinyint, on_success_step_id int, on_fail_action tinyint, " +
				"on_fail_step_id int, server sysname?, database_name sysname?, database_user_name sysname?, retry_attempts int, retry_interval int, " +
				"os_run_priority int, output_file_name nvarchar(200)?, last_run_outcome int, last_run_duration int, last_run_retries int, last_run_date int, " +
				"last_run_time int, proxy_id int?, step_uid uniqueidentifier?", srv.jobStepRows,
		},
		{
			"sysschedules", "schedule_id int, schedule_uid uniqueidentifier, originating_server_id int, name sysname, owner_sid varbinary(85), enabled int, " +
				"freq_type int, freq_interval int, freq_subday_type int, freq_subday_interval int, freq_relative_interval int, freq_recurrence_factor int, " +
				"active_start_date int, active_end_date int, active_start_time int, active_end_time int, date_created datetime, date_modified datetime, " +
				"version_number int", srv.scheduleRows,
		},
		{"sysjobschedules", "schedule_id int, job_id uniqueidentifier, next_run_date int, next_run_time int", srv.jobScheduleRows},
		{
			"sysjobservers", "job_id uniqueidentifier, server_id int, last_run_outcome tinyint, last_outcome_message nvarchar(4000)?, last_run_date int, " +
				"last_run_time int, last_run_duration int", srv.jobServerRows,
		},
		{
			"sysoperators", "id int, name sysname, enabled tinyint, email_address nvarchar(100)?, last_email_date int, last_email_time int, " +
				"pager_address nvarchar(100)?, last_pager_date int, last_pager_time int, weekday_pager_start_time int, weekday_pager_end_time int, " +
				"saturday_pager_start_time int, saturday_pager_end_time int, sunday_pager_start_time int, sunday_pager_end_time int, pager_days tinyint, " +
				"netsend_address nvarchar(100)?, last_netsend_date int, last_netsend_time int, category_id int", noRows,
		},
		{
			"sysproxies", "proxy_id int, name sysname, credential_id int, enabled tinyint, description nvarchar(512)?, user_sid varbinary(85), " +
				"credential_date_created datetime", noRows,
		},
		{"syssessions", "session_id int, agent_start_date datetime", srv.agentSessionRows},
	} {
		srv.catalog.RegisterView("dbo", v.name, catalog.ParseColumns(v.columns), func(catalog.ViewContext) iter.Seq[value.Row] {
			return func(yield func(value.Row) bool) {
				for _, cells := range v.rows() {
					if !yield(catalog.Cells(cells...)) {
						return
					}
				}
			}
		})
	}
}

// moment returns a date and time, nil for the zero time.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// count returns a number, nil for 0.
func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func noRows() [][]any { return nil }

// ownerSID returns the SID of a login, nil if there is none.
func (srv *Server) ownerSID(login string) []byte {
	if l := srv.catalog.LoginByName(login); l != nil {
		return []byte(l.SID)
	}
	return nil
}

// lastRun returns the newest history entry of a job: of a step, or with step 0 of the whole job.
func (srv *Server) lastRun(job agent.ID, step int) (h agent.History, ok bool) {
	for _, x := range srv.agent.Histories() {
		if x.Job == job && x.Step == step {
			h, ok = x, true
		}
	}
	return h, ok
}

func (srv *Server) jobStepRows() (rows [][]any) {
	for _, j := range srv.agent.Jobs() {
		for _, st := range j.Steps {
			var on, at int
			last, ran := srv.lastRun(j.ID, st.ID)
			if ran {
				on, at = day(last.Started), clock(last.Started)
			}
			rows = append(rows, []any{
				guid(j.ID), st.ID, st.Name, st.Subsystem, st.Command, 0, nil, 0, int(st.OnSuccess), st.SuccessStep, int(st.OnFail), st.FailureStep, nil, st.Database, nil,
				st.Retries, st.RetryInterval, 0, nil, int(last.Status), span(last.Duration), 0, on, at, nil, guid(st.UID),
			})
		}
	}
	return rows
}

func (srv *Server) scheduleRows() (rows [][]any) {
	for _, s := range srv.agent.Schedules() {
		rows = append(rows, []any{
			s.ID, guid(s.UID), 0, s.Name, srv.ownerSID(s.Owner), s.Enabled, s.Type, s.Interval, s.Subday, s.SubdayInterval, s.Relative, s.Recurrence,
			s.StartDate, s.EndDate, s.StartTime, s.EndTime, s.Created, s.Created, 1,
		})
	}
	return rows
}

func (srv *Server) jobScheduleRows() (rows [][]any) {
	for _, j := range srv.agent.Jobs() {
		next, by := srv.agent.Next(j)
		for _, s := range j.Schedules {
			var on, at int
			if s == by {
				on, at = day(next), clock(next)
			}
			rows = append(rows, []any{s.ID, guid(j.ID), on, at})
		}
	}
	return rows
}

func (srv *Server) jobServerRows() (rows [][]any) {
	for _, j := range srv.agent.Jobs() {
		if !j.Local {
			continue
		}
		last, ran := srv.lastRun(j.ID, 0)
		if !ran {
			rows = append(rows, []any{guid(j.ID), 0, 5, nil, 0, 0, 0}) // 5: unknown
			continue
		}
		rows = append(rows, []any{guid(j.ID), 0, int(last.Status), last.Message, day(last.Started), clock(last.Started), span(last.Duration)})
	}
	return rows
}

func (srv *Server) jobRows() (rows [][]any) {
	for _, j := range srv.agent.Jobs() {
		rows = append(rows, []any{guid(j.ID), 0, j.Name, j.Enabled, j.Description, j.StartStep, 0, srv.ownerSID(j.Owner), 0, 0, 0, 0, 0, 0, 0, 0, j.Created, j.Modified, j.Version})
	}
	return rows
}

func (srv *Server) jobActivityRows() (rows [][]any) {
	for _, x := range srv.agent.Activities() {
		var source, next any
		if x.Source != 0 {
			source = strconv.Itoa(x.Source)
		}
		for _, j := range srv.agent.Jobs() {
			if at, _ := srv.agent.Next(j); j.ID == x.Job {
				next = moment(at)
			}
		}
		rows = append(rows, []any{
			x.Session, guid(x.Job), moment(x.Requested), source, nil, moment(x.Started), count(x.LastStep), moment(x.StepStarted),
			moment(x.Ended), count(x.HistoryID), next,
		})
	}
	return rows
}

func (srv *Server) jobHistoryRows() (rows [][]any) {
	for _, h := range srv.agent.Histories() {
		var number, severity int
		if h.Error != nil {
			number, severity = int(h.Error.Number), int(h.Error.Severity)
		}
		rows = append(rows, []any{
			h.InstanceID, guid(h.Job), h.Step, h.StepName, number, severity, h.Message, int(h.Status), day(h.Started), clock(h.Started),
			span(h.Duration), 0, 0, 0, 0, srv.catalog.Name,
		})
	}
	return rows
}

func (srv *Server) agentSessionRows() (rows [][]any) {
	for i, at := range srv.agent.Sessions() {
		rows = append(rows, []any{i + 1, at})
	}
	return rows
}

// day returns a date as the number yyyymmdd, clock a time as hhmmss, span a duration as hours, minutes and seconds.
func day(t time.Time) int { return t.Year()*10000 + int(t.Month())*100 + t.Day() }

func clock(t time.Time) int { return t.Hour()*10000 + t.Minute()*100 + t.Second() }

func span(d time.Duration) int {
	s := int(d / time.Second)
	return s/3600*10000 + s/60%60*100 + s%60
}
