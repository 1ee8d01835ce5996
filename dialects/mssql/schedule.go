package mssql

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/zones"
)

// CreateSchedule creates a schedule.
func (s *scheduler) CreateSchedule(ctx context.Context, n dialects.NewSchedule) error {
	c, err := scheduleCall("CreateSchedule", n)
	if err != nil {
		return err
	}
	return s.send(ctx, s.db, c.setIf(n.Disabled, "Enabled", false))
}

// AlterSchedule changes a schedule.
func (s *scheduler) AlterSchedule(ctx context.Context, n dialects.NewSchedule) error {
	c, err := scheduleCall("AlterSchedule", n)
	if err != nil {
		return err
	}
	return s.send(ctx, s.db, c)
}

func scheduleCall(proc string, n dialects.NewSchedule) (call, error) {
	tasks, err := tasksJSON(n.Tasks)
	if err != nil {
		return call{}, fmt.Errorf("tasks of schedule %s: %w", n.Name, err)
	}
	p := n.Process
	return call{proc: proc}.set("Name", n.Name).
		setIf(n.Calendar != "", "Calendar", n.Calendar).
		setIf(len(n.Tasks) > 0, "Tasks", tasks).
		setIf(n.Zone != "", "Zone", n.Zone).
		setIf(n.Overlap != "", "Overlap", n.Overlap).
		setIf(n.Missed != "", "Missed", n.Missed).
		setIf(p.OnError != "", "OnError", p.OnError).
		setIf(p.Weight != 0, "Weight", int64(p.Weight)).
		setIf(p.MaxParallel != 0, "MaxParallel", int64(p.MaxParallel)).
		setIf(!n.Begin.IsZero(), "BeginAt", n.Begin).
		setIf(!n.End.IsZero(), "EndAt", n.End), nil
}

// tasksJSON writes tasks as ExecAsyncBatch reads them: the arguments of ExecAsync, in their order.
func tasksJSON(tasks []dialects.NewTask) (string, error) {
	var all []string
	for _, t := range tasks {
		var members []string
		for _, a := range execCall(t, nil).args {
			value := a.value
			if a.name == "Parameters" {
				value = json.RawMessage(t.Parameters)
				if !json.Valid([]byte(t.Parameters)) {
					value = "no JSON" // the server refuses anything but an object, with the task's number
				}
			}
			text, err := json.Marshal(value)
			if err != nil {
				return "", fmt.Errorf("%s: %w", a.name, err)
			}
			members = append(members, fmt.Sprintf("%q:%s", a.name, text))
		}
		all = append(all, "{"+strings.Join(members, ",")+"}")
	}
	return "[" + strings.Join(all, ",") + "]", nil
}

// StoredTasks returns tasks as the server keeps them.
func (*scheduler) StoredTasks(tasks []dialects.NewTask) (string, error) { return tasksJSON(tasks) }

// SetScheduleEnabled enables or disables a schedule.
func (s *scheduler) SetScheduleEnabled(ctx context.Context, name string, enabled bool) error {
	return s.send(ctx, s.db, call{proc: "SetScheduleEnabled"}.set("Name", name).set("Enabled", enabled))
}

// RunSchedule fires a schedule now.
func (s *scheduler) RunSchedule(ctx context.Context, name string) error {
	return s.send(ctx, s.db, call{proc: "RunSchedule"}.set("Name", name))
}

// DropSchedule removes a schedule.
func (s *scheduler) DropSchedule(ctx context.Context, name string) error {
	return s.send(ctx, s.db, call{proc: "DropSchedule"}.set("Name", name))
}

func (s *scheduler) scheduleQuery(name string) (string, []any) {
	text := "SELECT CAST(v.ScheduleId AS bigint), v.Name, v.Calendar, v.Zone, v.Status, ISNULL(v.Reason, N''), v.NextAt, v.NextLocal, " +
		"v.BeginAt, v.EndAt, v.LastDueAt, CAST(ISNULL(v.LastProcessId, 0) AS bigint), ISNULL(v.LastStatus, ''), v.LastFinishedAt, CAST(v.Running AS bigint), CAST(v.Waiting AS bigint), v.Fired, v.Skipped, " +
		"v.Missed, v.Overlap, v.MissedPolicy, v.Tasks, v.OnError, CAST(v.Weight AS bigint), CAST(ISNULL(v.MaxParallel, 0) AS bigint), v.OwnedBy\nFROM " + s.object("ScheduleInfo") + " AS v"
	if name == "" {
		return text + "\nORDER BY v.Name;", nil
	}
	return text + "\nWHERE v.Name = @name;", []any{sql.Named("name", name)}
}

// Schedules lists schedules.
func (s *scheduler) Schedules(ctx context.Context, name string) ([]dialects.Schedule, error) {
	query, params := s.scheduleQuery(name)
	return read(ctx, s, "ScheduleInfo", query, params, func(rows *sql.Rows) (dialects.Schedule, error) {
		var r dialects.Schedule
		var next, local, end, last, finished moment
		err := rows.Scan(&r.ID, &r.Name, &r.Calendar, &r.Zone, &r.Status, &r.Reason, &next, &local, &r.BeginAt, &end, &last, &r.LastProcessID, &r.LastStatus, &finished, &r.Running, &r.Waiting,
			&r.Fired, &r.Skipped, &r.Missed, &r.Overlap, &r.MissedPolicy, &r.Tasks, &r.OnError, &r.Weight, &r.MaxParallel, &r.OwnedBy)
		r.SetNext(next.pointer(), local.pointer())
		r.BeginAt, r.EndAt, r.LastDueAt, r.LastFinishedAt = utc(r.BeginAt), end.pointer(), last.pointer(), finished.pointer()
		return r, err
	})
}

func (s *scheduler) scheduleCountQuery() string {
	return `SELECT q.Status, COUNT_BIG(*), COUNT_BIG(CASE WHEN q.NextAt < DATEADD(second, -60, SYSUTCDATETIME()) THEN 1 END), MIN(q.NextAt), ISNULL(MIN(CASE WHEN q.Nth = 1 THEN q.Name END), N'')
FROM (SELECT v.Status, v.Name, v.NextAt, ROW_NUMBER() OVER (PARTITION BY v.Status ORDER BY CASE WHEN v.NextAt IS NULL THEN 1 ELSE 0 END, v.NextAt, v.Name) AS Nth
      FROM ` + s.object("ScheduleInfo") + ` AS v) AS q
GROUP BY q.Status
ORDER BY q.Status;`
}

// ScheduleCounts counts schedules.
func (s *scheduler) ScheduleCounts(ctx context.Context) (c dialects.ScheduleCounts, err error) {
	_, err = read(ctx, s, "ScheduleInfo", s.scheduleCountQuery(), nil, func(rows *sql.Rows) (status string, err error) {
		var n, late int64
		var next moment
		var name string
		err = rows.Scan(&status, &n, &late, &next, &name)
		c.Add(status, n, late, next.pointer(), name)
		return status, err
	})
	return c, err
}

func (s *scheduler) firingQuery(name string, limit int) (string, []any) {
	text, where, params := "SELECT ", "", []any(nil)
	if limit > 0 {
		text += "TOP (@limit) "
		params = append(params, sql.Named("limit", int64(limit)))
	}
	if name != "" {
		where = "\nWHERE v.Name = @name"
		params = append(params, sql.Named("name", name))
	}
	return text + "v.FiringId, v.Name, v.DueAt, v.Manual, v.Status, ISNULL(v.Detail, N''), v.LoggedAt, CAST(ISNULL(v.ProcessId, 0) AS bigint), v.FinishedAt\nFROM " +
		s.object("ScheduleLog") + " AS v" + where + "\nORDER BY v.FiringId DESC;", params
}

// Firings lists firings, oldest first.
func (s *scheduler) Firings(ctx context.Context, name string, limit int) ([]dialects.Firing, error) {
	query, params := s.firingQuery(name, limit)
	all, err := read(ctx, s, "ScheduleLog", query, params, func(rows *sql.Rows) (dialects.Firing, error) {
		var f dialects.Firing
		var finished moment
		err := rows.Scan(&f.ID, &f.Schedule, &f.DueAt, &f.Manual, &f.Status, &f.Detail, &f.LoggedAt, &f.ProcessID, &finished)
		f.DueAt, f.LoggedAt, f.FinishedAt = utc(f.DueAt), utc(f.LoggedAt), finished.pointer()
		return f, err
	})
	slices.Reverse(all)
	return all, err
}

func (s *scheduler) instantsQuery() string {
	return "SELECT n.At, ISNULL(n.Problem, '')\nFROM " + s.object("NextInstants") + "(@calendar, @zone, ISNULL(CAST(@after AS datetime2(3)), SYSUTCDATETIME()), @count, CAST(@begin AS datetime2(0)), CAST(@end AS datetime2(0))) AS n\nORDER BY n.InstantNo;"
}

// NextInstants lists instants of a calendar.
func (s *scheduler) NextInstants(ctx context.Context, w dialects.When, after time.Time, count int) ([]time.Time, error) {
	at := func(t time.Time) sql.NullString { return sql.NullString{String: instant(t), Valid: !t.IsZero()} }
	params := []any{
		sql.Named("calendar", w.Calendar), sql.Named("zone", w.Zone), sql.Named("after", at(after)), sql.Named("count", int64(count)),
		sql.Named("begin", at(w.Begin)), sql.Named("end", at(w.End)),
	}
	var problem string
	all, err := read(ctx, s, "NextInstants", s.instantsQuery(), params, func(rows *sql.Rows) (time.Time, error) {
		var at moment
		err := rows.Scan(&at, &problem)
		return utc(at.Time), err
	})
	if problem != "" {
		return nil, &dialects.ServerError{Doing: "NextInstants", Err: fmt.Errorf("dbsched 51074: the calendar %q cannot be read: %s", w.Calendar, problem)}
	}
	return all, err
}

func zoneQuery() string {
	return "SELECT z.name FROM sys.time_zone_info AS z WHERE z.name COLLATE SQL_Latin1_General_CP1_CI_AS = @name;"
}

// Zone finds a time zone by SQL Server's name, which is one of Windows, or by that of the IANA database.
func (s *scheduler) Zone(ctx context.Context, name string) (string, *time.Location, error) {
	wanted := name
	if of, ok := zones.FromIANA(name); ok {
		wanted = of
	}
	if wanted == "" {
		wanted = "UTC"
	}
	found, err := read(ctx, s, "sys.time_zone_info", zoneQuery(), []any{sql.Named("name", wanted)}, func(rows *sql.Rows) (zone string, err error) {
		return zone, rows.Scan(&zone)
	})
	if err != nil {
		return "", nil, err
	}
	if len(found) == 0 {
		return "", nil, dialects.Usagef("there is no time zone %q on this server. Use a name of sys.time_zone_info or of the IANA database, like Europe/Warsaw", name)
	}
	loc, _ := zones.Location(found[0])
	return found[0], loc, nil
}
