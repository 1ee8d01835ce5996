package oracle

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/zones"
)

// CreateSchedule creates a schedule.
func (s *scheduler) CreateSchedule(ctx context.Context, n dialects.NewSchedule) error {
	c, err := scheduleCall("create_schedule", n)
	if err != nil {
		return err
	}
	return s.send(ctx, s.db, c.setIf(n.Disabled, "in_enabled", verbatim("false")))
}

// AlterSchedule changes a schedule.
func (s *scheduler) AlterSchedule(ctx context.Context, n dialects.NewSchedule) error {
	c, err := scheduleCall("alter_schedule", n)
	if err != nil {
		return err
	}
	return s.send(ctx, s.db, c)
}

func scheduleCall(proc string, n dialects.NewSchedule) (call, error) {
	tasks, err := tasksJSON(0, n.Tasks)
	if err != nil {
		return call{}, err
	}
	p := n.Process
	return call{proc: proc}.set("in_name", n.Name).
		setIf(n.Calendar != "", "in_calendar", n.Calendar).
		setIf(len(n.Tasks) > 0, "in_tasks", tasks).
		setIf(n.Zone != "", "in_zone", n.Zone).
		setIf(n.Overlap != "", "in_overlap", n.Overlap).
		setIf(n.Missed != "", "in_missed", n.Missed).
		setIf(p.OnError != "", "in_on_error", p.OnError).
		setIf(p.Weight != 0, "in_weight", int64(p.Weight)).
		setIf(p.MaxParallel != 0, "in_max_parallel", int64(p.MaxParallel)).
		setIf(!n.Begin.IsZero(), "in_begin_at", n.Begin).
		setIf(!n.End.IsZero(), "in_end_at", n.End), nil
}

// StoredTasks returns tasks as the server keeps them.
func (*scheduler) StoredTasks(tasks []dialects.NewTask) (string, error) { return tasksJSON(0, tasks) }

// SetScheduleEnabled enables or disables a schedule.
func (s *scheduler) SetScheduleEnabled(ctx context.Context, name string, enabled bool) error {
	return s.send(ctx, s.db, call{proc: "set_schedule_enabled"}.set("in_name", name).set("in_enabled", verbatim(strconv.FormatBool(enabled))))
}

// RunSchedule fires a schedule now.
func (s *scheduler) RunSchedule(ctx context.Context, name string) error {
	return s.send(ctx, s.db, call{proc: "run_schedule"}.set("in_name", name))
}

// DropSchedule removes a schedule.
func (s *scheduler) DropSchedule(ctx context.Context, name string) error {
	return s.send(ctx, s.db, call{proc: "drop_schedule"}.set("in_name", name))
}

func scheduleQuery(name string) (string, []any) {
	text := "select v.schedule_id, v.name, v.calendar, v.zone, v.status, v.reason, v.next_at, v.next_local, v.begin_at, v.end_at, v.last_due_at, " +
		"nvl(v.last_process_id, 0), v.last_status, v.last_finished_at, v.running, v.waiting, v.fired, v.skipped, v.missed, v.overlap, v.missed_policy, v.tasks, v.on_error, v.weight, " +
		"nvl(v.max_parallel, 0), v.owned_by\nfrom " + object("schedule_info") + " v"
	if name == "" {
		return text + "\norder by v.name", nil
	}
	return text + "\nwhere v.name = :name", []any{sql.Named("name", name)}
}

// Schedules lists schedules.
func (s *scheduler) Schedules(ctx context.Context, name string) ([]dialects.Schedule, error) {
	query, params := scheduleQuery(name)
	return read(ctx, s, object("schedule_info"), query, params, func(rows *sql.Rows) (dialects.Schedule, error) {
		var r dialects.Schedule
		var next, local, end, last, finished sql.NullTime
		var reason, status sql.NullString
		err := rows.Scan(&r.ID, &r.Name, &r.Calendar, &r.Zone, &r.Status, &reason, &next, &local, &r.BeginAt, &end, &last, &r.LastProcessID, &status, &finished, &r.Running, &r.Waiting, &r.Fired, &r.Skipped,
			&r.Missed, &r.Overlap, &r.MissedPolicy, &r.Tasks, &r.OnError, &r.Weight, &r.MaxParallel, &r.OwnedBy)
		if local.Valid {
			local.Time = wall(local.Time, time.UTC)
		}
		r.SetNext(pointer(next), pointer(local))
		r.BeginAt, r.EndAt, r.LastDueAt, r.LastFinishedAt = r.BeginAt.UTC(), pointer(end), pointer(last), pointer(finished)
		r.Reason, r.LastStatus = reason.String, status.String
		return r, err
	})
}

func scheduleCountQuery() string {
	return `select v.status, count(*), count(case when v.next_at < systimestamp - numtodsinterval(60, 'SECOND') then 1 end), min(v.next_at),
    min(v.name) keep (dense_rank first order by v.next_at)
from ` + object("schedule_info") + ` v
group by v.status
order by v.status`
}

// ScheduleCounts counts schedules.
func (s *scheduler) ScheduleCounts(ctx context.Context) (c dialects.ScheduleCounts, err error) {
	_, err = read(ctx, s, object("schedule_info"), scheduleCountQuery(), nil, func(rows *sql.Rows) (status string, err error) {
		var n, late int64
		var next sql.NullTime
		var name string
		err = rows.Scan(&status, &n, &late, &next, &name)
		c.Add(status, n, late, pointer(next), name)
		return status, err
	})
	return c, err
}

func firingQuery(name string, limit int) (string, []any) {
	text := "select v.firing_id, v.name, v.due_at, v.manual, v.status, v.detail, v.logged_at, nvl(v.process_id, 0), v.finished_at\nfrom " + object("schedule_log") + " v"
	var params []any
	if name != "" {
		text += "\nwhere v.name = :name"
		params = append(params, sql.Named("name", name))
	}
	text += "\norder by v.firing_id desc"
	if limit > 0 {
		text += "\nfetch first :limit rows only"
		params = append(params, sql.Named("limit", int64(limit)))
	}
	return text, params
}

// Firings lists firings, oldest first.
func (s *scheduler) Firings(ctx context.Context, name string, limit int) ([]dialects.Firing, error) {
	query, params := firingQuery(name, limit)
	all, err := read(ctx, s, object("schedule_log"), query, params, func(rows *sql.Rows) (dialects.Firing, error) {
		var f dialects.Firing
		var manual string
		var detail sql.NullString
		var finished sql.NullTime
		err := rows.Scan(&f.ID, &f.Schedule, &f.DueAt, &manual, &f.Status, &detail, &f.LoggedAt, &f.ProcessID, &finished)
		f.DueAt, f.LoggedAt, f.FinishedAt = f.DueAt.UTC(), f.LoggedAt.UTC(), pointer(finished)
		f.Manual, f.Detail = manual == "Y", detail.String
		return f, err
	})
	slices.Reverse(all)
	return all, err
}

func instantsQuery() string {
	const format = `'YYYY-MM-DD"T"HH24:MI:SS.FF'`
	return "select dbsched.next_instants(:calendar, :zone, nvl(to_timestamp(:after, " + format + "), sys_extract_utc(systimestamp)), :count, " +
		"from_tz(to_timestamp(:begin_at, " + format + "), '+00:00'), from_tz(to_timestamp(:end_at, " + format + "), '+00:00')) from dual"
}

// NextInstants lists instants of a calendar.
func (s *scheduler) NextInstants(ctx context.Context, w dialects.When, after time.Time, count int) ([]time.Time, error) {
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format("2006-01-02T15:04:05.000")
	}
	params := []any{
		sql.Named("calendar", w.Calendar), sql.Named("zone", w.Zone), sql.Named("after", at(after)), sql.Named("count", int64(count)),
		sql.Named("begin_at", at(w.Begin)), sql.Named("end_at", at(w.End)),
	}
	texts, err := read(ctx, s, "next_instants", instantsQuery(), params, func(rows *sql.Rows) (text string, err error) {
		return text, rows.Scan(&text)
	})
	if err != nil {
		return nil, err
	}
	var all []time.Time
	for _, text := range texts {
		var instants []string
		if err := json.Unmarshal([]byte(text), &instants); err != nil {
			return nil, fmt.Errorf("next_instants: %w", err)
		}
		for _, instant := range instants {
			at, err := time.Parse("2006-01-02T15:04:05", instant)
			if err != nil {
				return nil, fmt.Errorf("next_instants: %w", err)
			}
			all = append(all, at)
		}
	}
	return all, nil
}

// Zone finds a time zone; Oracle's regions have the names of the IANA database, in any case of letters.
func (s *scheduler) Zone(_ context.Context, name string) (string, *time.Location, error) {
	if name == "" {
		name = "UTC"
	}
	spelled, loc, ok := zones.Region(name)
	if !ok {
		return name, nil, nil // the server may know regions that this program does not
	}
	return spelled, loc, nil
}
