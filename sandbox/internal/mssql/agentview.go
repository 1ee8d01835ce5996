package mssql

import (
	"iter"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// registerAgentViews adds the tables of msdb that show jobs. They can be read only, and are not locked.
// Columns: learn.microsoft.com, "SQL Server Agent tables"; those of what is not modelled show its absence.
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

// moment is a date and time; nil for none.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

// count is a number; nil for 0.
func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func (srv *Server) jobRows() (rows [][]any) {
	for _, j := range srv.agent.Jobs() {
		var sid []byte
		if l := srv.catalog.LoginByName(j.Owner); l != nil {
			sid = []byte(l.SID)
		}
		rows = append(rows, []any{guid(j.ID), 0, j.Name, j.Enabled, j.Description, j.StartStep, 0, sid, 0, 0, 0, 0, 0, 0, 0, 0, j.Created, j.Modified, j.Version})
	}
	return rows
}

func (srv *Server) jobActivityRows() (rows [][]any) {
	for _, x := range srv.agent.Activities() {
		var source any
		if !x.Requested.IsZero() {
			source = "4" // SOURCE_USER
		}
		rows = append(rows, []any{
			x.Session, guid(x.Job), moment(x.Requested), source, nil, moment(x.Started), count(x.LastStep), moment(x.StepStarted),
			moment(x.Ended), count(x.HistoryID), nil,
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

// day is yyyymmdd, clock hhmmss and span hours, minutes and seconds as such a number.
func day(t time.Time) int { return t.Year()*10000 + int(t.Month())*100 + t.Day() }

func clock(t time.Time) int { return t.Hour()*10000 + t.Minute()*100 + t.Second() }

func span(d time.Duration) int {
	s := int(d / time.Second)
	return s/3600*10000 + s/60%60*100 + s%60
}
