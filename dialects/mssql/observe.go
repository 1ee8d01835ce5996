package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// view is one of dbsched's views: its name, the columns for order and filters, and the columns to read.
type view struct {
	name, key, status, time string
	texts                   []string
	columns                 string
	join                    string // another view, t, of the same task
}

func processInfo() view {
	return view{"ProcessInfo", "ProcessId", "Status", "CreatedAt", nil,
		"CAST(v.ProcessId AS bigint), v.Name, v.Status, v.OnError, v.Priority, v.Unfinished, v.Running, v.LowestOrder, v.TasksSucceeded, v.TasksFailed, " +
			"v.CreatedBy, v.CreatedAt, v.FinishedAt", ""}
}

func taskInfo() view {
	return view{"TaskInfo", "TaskId", "Status", "EnqueuedAt", []string{"SqlText"},
		"v.TaskId, CAST(v.ProcessId AS bigint), v.ExecutionOrder, v.Status, ISNULL(v.WaitReason, ''), v.Priority, v.Attempt, v.SqlText, " +
			"v.EnqueuedBy, v.EnqueuedAt, v.DueAt, ISNULL(v.LaneId, 0), ISNULL(v.Resource, N''), v.StartedAt, v.FinishedAt, " +
			"CAST(v.TimeoutSeconds AS bigint), ISNULL(v.StopOutcome, ''), v.ExpectedSeconds, v.MaxAttempts, v.Failures, v.OnOrphan, v.Orphans, ISNULL(v.Access, ''), v.Transactional, " +
			"ISNULL(v.DedupKey, N''), ISNULL(v.DuplicateOf, 0), ISNULL(v.Parameters, N''), SYSUTCDATETIME()", ""}
}

func logInfo() view {
	return view{"LogInfo", "LogId", "Outcome", "StartTime", []string{"TaskBody", "ErrorMessage"},
		"v.LogId, v.TaskId, CAST(v.ProcessId AS bigint), v.ExecutionOrder, v.Attempt, v.TaskBody, v.LaneId, v.SPID, t.EnqueuedAt, ISNULL(t.Resource, N''), v.StartTime, v.EndTime, v.Outcome, " +
			"ISNULL(v.ErrorNumber, 0), ISNULL(v.ErrorMessage, N''), ISNULL(v.ErrorProcedure, N''), ISNULL(v.ErrorLine, 0), " +
			"CAST(t.TimeoutSeconds AS bigint), ISNULL(t.Status, ''), SYSUTCDATETIME()", "TaskInfo"}
}

func workerInfo() view {
	return view{name: "WorkerInfo", key: "LaneId", columns: "v.LaneId, v.State, ISNULL(v.SessionId, 0), ISNULL(v.TaskId, 0)"}
}

func alarmInfo() view {
	return view{"AlarmInfo", "AlarmId", "Kind", "RaisedAt", []string{"AlarmText"},
		"v.AlarmId, v.RaisedAt, v.Kind, CAST(ISNULL(v.ProcessId, 0) AS bigint), ISNULL(v.TaskId, 0), ISNULL(v.LaneId, 0), v.AlarmText, v.AcknowledgedAt, ISNULL(v.AcknowledgedBy, N'')", ""}
}

// briefly is what is read of the texts of attempts when they are only listed.
var briefly = strings.NewReplacer("v.TaskBody", "LEFT(v.TaskBody, 400)", "v.ErrorMessage", "LEFT(v.ErrorMessage, 400)")

// query selects the newest f.Limit rows of a view.
func (s *scheduler) query(v view, f dialects.Filter) (text string, params []any) {
	where, params := where(v, f)
	top, order := "", "v."+v.key+" DESC"
	if f.Limit > 0 {
		params = append(params, sql.Named("limit", int64(f.Limit)))
		if top = "TOP (@limit) "; f.Page > 0 {
			top, order = "", "CASE WHEN v.Status IN ('Failed', 'TimedOut') THEN 0 WHEN v.Status IN ('Running', 'Stopping') THEN 1 ELSE 2 END, v."+v.key+" OFFSET @skip ROWS FETCH NEXT @limit ROWS ONLY"
			params = append(params, sql.Named("skip", int64(f.Page-1)*int64(f.Limit)))
		}
	}
	columns := v.columns
	if f.Brief {
		columns = briefly.Replace(columns)
	}
	text = "SELECT " + top + columns + "\nFROM " + s.object(v.name) + " AS v"
	if v.join != "" {
		text += "\nLEFT JOIN " + s.object(v.join) + " AS t ON t.TaskId = v.TaskId"
	}
	return text + where + "\nORDER BY " + order + ";", params
}

// attemptsQuery counts what query selects without a limit.
func (s *scheduler) attemptsQuery(f dialects.Filter) (text string, params []any) {
	where, params := where(logInfo(), f)
	return "SELECT COUNT_BIG(*), COUNT_BIG(CASE WHEN v.EndTime IS NULL THEN 1 END), COUNT_BIG(CASE WHEN v.Outcome IN ('" + strings.Join(dialects.BadOutcomes(), "', '") +
		"') THEN 1 END),\n       COUNT_BIG(DISTINCT v.LaneId), ISNULL(MIN(v.LogId), 0), MIN(v.StartTime), MAX(v.EndTime)\nFROM " + s.object("LogInfo") + " AS v" + where + ";", params
}

// where returns the condition of a filter; empty if there is none.
func where(v view, f dialects.Filter) (text string, params []any) {
	var where []string
	if f.ProcessID != 0 {
		where = append(where, "v.ProcessId = @process")
		params = append(params, sql.Named("process", f.ProcessID))
	}
	if f.TaskID != 0 {
		where = append(where, "v.TaskId = @task")
		params = append(params, sql.Named("task", f.TaskID))
	}
	var statuses []string
	for i, status := range f.Statuses {
		name := fmt.Sprint("status", i+1)
		statuses = append(statuses, "@"+name)
		params = append(params, sql.Named(name, status))
	}
	if len(statuses) > 0 {
		where = append(where, "v."+v.status+" IN ("+strings.Join(statuses, ", ")+")")
	}
	if f.Unacknowledged {
		where = append(where, "v.AcknowledgedAt IS NULL")
	}
	if !f.Since.IsZero() {
		where = append(where, "v."+v.time+" >= CAST(@since AS datetime2(3))")
		params = append(params, sql.Named("since", instant(f.Since)))
	}
	if !f.Until.IsZero() {
		where = append(where, "v."+v.time+" < CAST(@until AS datetime2(3))")
		params = append(params, sql.Named("until", instant(f.Until)))
	}
	if f.Text != "" {
		var texts []string
		for _, column := range v.texts {
			texts = append(texts, "CHARINDEX(UPPER(@text), UPPER(v."+column+")) > 0")
		}
		where = append(where, "("+strings.Join(texts, " OR ")+")")
		params = append(params, sql.Named("text", f.Text))
	}
	if !f.Open.IsZero() {
		where = append(where, "(v.FinishedAt IS NULL OR v.FinishedAt >= CAST(@open AS datetime2(3)))")
		params = append(params, sql.Named("open", instant(f.Open)))
	}
	if f.After != 0 {
		fresh := "v.LogId > @after"
		params = append(params, sql.Named("after", f.After))
		for i, id := range f.Also {
			fresh += fmt.Sprintf(" OR v.LogId = @also%d", i+1)
			params = append(params, sql.Named(fmt.Sprint("also", i+1), id))
		}
		where = append(where, "("+fresh+")")
	}
	if f.From != 0 {
		where = append(where, "v.LogId >= @from")
		params = append(params, sql.Named("from", f.From))
	}
	if !f.Ended.IsZero() {
		where = append(where, "(v.EndTime IS NULL OR v.EndTime >= CAST(@ended AS datetime2(3)))")
		params = append(params, sql.Named("ended", instant(f.Ended)))
	}
	if f.Besides != 0 {
		where = append(where, "v.ProcessId <> @besides")
		params = append(params, sql.Named("besides", f.Besides))
	}
	if len(where) == 0 {
		return "", params
	}
	return "\nWHERE " + strings.Join(where, " AND "), params
}

// list runs a query on a view; oldest rows first, or as the page has them.
func list[T any](ctx context.Context, s *scheduler, v view, f dialects.Filter, scan func(*sql.Rows) (T, error)) ([]T, error) {
	query, params := s.query(v, f)
	all, err := read(ctx, s, v.name, query, params, scan)
	if f.Page == 0 {
		slices.Reverse(all)
	}
	return all, err
}

// read runs a query, and returns its rows in their order.
func read[T any](ctx context.Context, s *scheduler, name, query string, params []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	return readOn(ctx, s, s.db, name, query, params, scan)
}

// readOn is read on a connection or in a transaction.
func readOn[T any](ctx context.Context, s *scheduler, on querier, name, query string, params []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := on.QueryContext(ctx, query, params...)
	if err != nil {
		return nil, s.failed(name, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, s.failed(name, err)
		}
		all = append(all, item)
	}
	return all, s.failed(name, rows.Err())
}

// moment is a nullable time of a view, which is UTC but has no offset.
type moment struct{ sql.NullTime }

func (m moment) pointer() *time.Time {
	if !m.Valid {
		return nil
	}
	t := utc(m.Time)
	return &t
}

// utc marks a time from the driver as UTC, without changing the clock.
func utc(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// Processes lists processes.
func (s *scheduler) Processes(ctx context.Context, f dialects.Filter) ([]dialects.Process, error) {
	return list(ctx, s, processInfo(), f, func(rows *sql.Rows) (dialects.Process, error) {
		var p dialects.Process
		var finished moment
		err := rows.Scan(&p.ID, &p.Name, &p.Status, &p.OnError, &p.Priority, &p.Unfinished, &p.Running, &p.Order, &p.Succeeded, &p.Failed,
			&p.CreatedBy, &p.CreatedAt, &finished)
		p.CreatedAt, p.FinishedAt = utc(p.CreatedAt), finished.pointer()
		p.Seconds = dialects.Seconds(&p.CreatedAt, p.FinishedAt)
		return p, err
	})
}

// Tasks lists tasks.
func (s *scheduler) Tasks(ctx context.Context, f dialects.Filter) ([]dialects.Task, error) {
	return list(ctx, s, taskInfo(), f, func(rows *sql.Rows) (dialects.Task, error) {
		var t dialects.Task
		var due, started, finished, now moment
		err := rows.Scan(&t.ID, &t.ProcessID, &t.Order, &t.Status, &t.Reason, &t.Priority, &t.Attempt, &t.SQL,
			&t.EnqueuedBy, &t.EnqueuedAt, &due, &t.Lane, &t.Resource, &started, &finished,
			&t.Timeout, &t.StopOutcome, &t.ExpectedSeconds, &t.MaxAttempts, &t.Failures, &t.OnOrphan, &t.Orphans, &t.Access, &t.Transactional,
			&t.DedupKey, &t.DuplicateOf, &t.Parameters, &now)
		t.EnqueuedAt, t.DueAt, t.StartedAt, t.FinishedAt = utc(t.EnqueuedAt), due.pointer(), started.pointer(), finished.pointer()
		t.Measure(utc(now.Time))
		return t, err
	})
}

// Logs lists attempts.
func (s *scheduler) Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error) {
	return list(ctx, s, logInfo(), f, func(rows *sql.Rows) (dialects.LogEntry, error) {
		var e dialects.LogEntry
		var enqueued, finished, now moment
		err := rows.Scan(&e.ID, &e.TaskID, &e.ProcessID, &e.Order, &e.Attempt, &e.SQL, &e.Lane, &e.SessionID, &enqueued, &e.Resource, &e.StartedAt, &finished, &e.Outcome,
			&e.ErrorNumber, &e.ErrorMessage, &e.ErrorUnit, &e.ErrorLine, &e.Timeout, &e.TaskStatus, &now)
		e.EnqueuedAt, e.StartedAt, e.FinishedAt = enqueued.pointer(), utc(e.StartedAt), finished.pointer()
		e.Measure(utc(now.Time))
		return e, err
	})
}

// Attempts counts attempts.
func (s *scheduler) Attempts(ctx context.Context, f dialects.Filter) (a dialects.Attempts, err error) {
	text, params := s.attemptsQuery(f)
	var begin, end moment
	err = s.db.QueryRowContext(ctx, text, params...).Scan(&a.All, &a.Running, &a.Failed, &a.Lanes, &a.Oldest, &begin, &end)
	a.Begin, a.End = begin.pointer(), end.pointer()
	return a, s.failed("LogInfo", err)
}

// Lanes lists the worker slots.
func (s *scheduler) Lanes(ctx context.Context) ([]dialects.Lane, error) {
	return list(ctx, s, workerInfo(), dialects.Filter{}, func(rows *sql.Rows) (dialects.Lane, error) {
		var l dialects.Lane
		err := rows.Scan(&l.Lane, &l.State, &l.SessionID, &l.TaskID)
		return l, err
	})
}

func (s *scheduler) queueQuery() string {
	return `SELECT q.State, COUNT_BIG(*), MIN(q.EnqueuedAt), MIN(q.DueAt), COUNT_BIG(q.RunnableSince), MIN(q.RunnableSince)
FROM (SELECT v.Status + ISNULL(' ' + v.WaitReason, '') AS State, v.EnqueuedAt, v.DueAt,
             CASE WHEN v.Status = 'Pending' AND v.ExecutionOrder = MIN(v.ExecutionOrder) OVER (PARTITION BY v.ProcessId) THEN v.EnqueuedAt END AS RunnableSince
      FROM ` + s.object("TaskInfo") + ` AS v
      WHERE v.FinishedAt IS NULL) AS q
GROUP BY q.State
ORDER BY q.State;`
}

// Queue counts the unfinished tasks.
func (s *scheduler) Queue(ctx context.Context) ([]dialects.Queued, error) {
	rows, err := s.db.QueryContext(ctx, s.queueQuery())
	if err != nil {
		return nil, s.failed("TaskInfo", err)
	}
	defer rows.Close()
	var all []dialects.Queued
	for rows.Next() {
		var q dialects.Queued
		var state string
		var due, runnable moment
		if err := rows.Scan(&state, &q.Tasks, &q.Oldest, &due, &q.Runnable, &runnable); err != nil {
			return nil, s.failed("TaskInfo", err)
		}
		q.Status, q.Reason, _ = strings.Cut(state, " ")
		q.Oldest, q.NextDue, q.OldestRunnable = utc(q.Oldest), due.pointer(), runnable.pointer()
		all = append(all, q)
	}
	return all, s.failed("TaskInfo", rows.Err())
}

// Alarms lists alarms.
func (s *scheduler) Alarms(ctx context.Context, f dialects.Filter) ([]dialects.Alarm, error) {
	return list(ctx, s, alarmInfo(), f, func(rows *sql.Rows) (dialects.Alarm, error) {
		var a dialects.Alarm
		var acknowledged moment
		err := rows.Scan(&a.ID, &a.RaisedAt, &a.Kind, &a.ProcessID, &a.TaskID, &a.Lane, &a.Text, &acknowledged, &a.AcknowledgedBy)
		a.RaisedAt, a.AcknowledgedAt = utc(a.RaisedAt), acknowledged.pointer()
		return a, err
	})
}

func (s *scheduler) kindsQuery() string {
	return "SELECT v.Kind, COUNT_BIG(*)\nFROM " + s.object("AlarmInfo") + " AS v\nWHERE v.AcknowledgedAt IS NULL\nGROUP BY v.Kind;"
}

// AlarmKinds counts alarms.
func (s *scheduler) AlarmKinds(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	_, err := read(ctx, s, "AlarmInfo", s.kindsQuery(), nil, func(rows *sql.Rows) (kind string, err error) {
		var n int64
		err = rows.Scan(&kind, &n)
		counts[kind] = n
		return kind, err
	})
	return counts, err
}

func (s *scheduler) optionsQuery() string {
	return "SELECT CAST(v.LingerSeconds AS bigint), CAST(v.IdleSweepSeconds AS bigint), CAST(v.RetentionDays AS bigint), CAST(v.MaxRetryDelaySeconds AS bigint), " +
		"CAST(v.MaxOrphans AS bigint), CAST(v.OutageSeconds AS bigint), CAST(v.MaxTasksPerUser AS bigint), CAST(v.DefaultTimeoutSeconds AS bigint), ISNULL(v.AlarmHook, N'')\nFROM " + s.object("SchedulerInfo") + " AS v;"
}

// Options reads the settings.
func (s *scheduler) Options(ctx context.Context) (o dialects.Options, err error) {
	err = s.db.QueryRowContext(ctx, s.optionsQuery()).Scan(&o.LingerSeconds, &o.IdleSweepSeconds, &o.RetentionDays, &o.MaxRetryDelaySeconds, &o.MaxOrphans,
		&o.OutageSeconds, &o.MaxTasksPerUser, &o.DefaultTimeoutSeconds, &o.AlarmHook)
	return o, s.failed("SchedulerInfo", err)
}

func (s *scheduler) statusQuery() string {
	return "SELECT v.Version, v.Started, ISNULL(v.CopyOf, N''), ISNULL(v.AlsoOn, N''), CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')), v.Policy, v.MaxWorkers, v.MaxLanes, v.Workers, v.Running, v.Unfinished, CAST(v.Alarms AS bigint), ISNULL(v.Blocked, ''), SYSUTCDATETIME()\nFROM " + s.object("SchedulerInfo") + " AS v;"
}

// Status reads the one row of SchedulerInfo.
func (s *scheduler) Status(ctx context.Context) (dialects.Status, error) {
	st := dialects.Status{Target: s.Target(), Schema: s.schema}
	var alsoOn, here string
	err := s.db.QueryRowContext(ctx, s.statusQuery()).Scan(&st.Version, &st.Started, &st.CopyOf, &alsoOn, &here, &st.Policy, &st.MaxWorkers, &st.MaxLanes, &st.Workers, &st.Running, &st.Unfinished, &st.Alarms, &st.Blocked, &st.Now)
	if errors.Is(err, sql.ErrNoRows) {
		return dialects.Status{Target: st.Target, Schema: st.Schema, Blocked: dialects.NoSettings, Now: time.Now().UTC()}, nil
	}
	st.Now, st.AlsoOn = utc(st.Now), dialects.Elsewhere(alsoOn, here)
	return st, s.failed("SchedulerInfo", err)
}
