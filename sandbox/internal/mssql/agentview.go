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
// Columns for what is not modeled show that there is none.
func (srv *Server) registerAgentViews() {
	for _, v := range []struct {
		name string
		rows func() [][]any
	}{
		{"sysjobs", srv.jobRows}, {"sysjobactivity", srv.jobActivityRows}, {"sysjobhistory", srv.jobHistoryRows},
		{"sysjobsteps", srv.jobStepRows}, {"sysschedules", srv.scheduleRows}, {"sysjobschedules", srv.jobScheduleRows},
		{"sysjobservers", srv.jobServerRows}, {"sysoperators", noRows}, {"sysproxies", noRows}, {"syssessions", srv.agentSessionRows},
	} {
		srv.catalog.RegisterView("dbo", v.name, catalog.ColumnsOf("dbo."+v.name), func(catalog.ViewContext) iter.Seq[value.Row] {
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
