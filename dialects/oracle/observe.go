package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects"
)

// view is one of dbsched's views: its name, the columns for order and filters, and the columns to read. Texts may be
// NULL, because Oracle stores empty ones as NULL.
type view struct {
	name, key, status, time string
	texts                   []string
	columns                 string
	join                    string // another view, t, of the same task
}

func processInfo() view {
	return view{"process_info", "process_id", "status", "created_at", nil,
		"v.process_id, v.name, v.status, v.on_error, v.priority, v.unfinished, v.running, v.lowest_order, v.tasks_succeeded, v.tasks_failed, " +
			"v.created_by, v.created_at, v.finished_at", ""}
}

func taskInfo() view {
	return view{"task_info", "task_id", "status", "enqueued_at", []string{"sql_text"},
		"v.task_id, v.process_id, v.execution_order, v.status, v.wait_reason, v.priority, v.attempt, v.sql_text, " +
			"v.enqueued_by, v.enqueued_at, v.due_at, nvl(v.lane_id, 0), v.resource_name, v.started_at, v.finished_at, " +
			"v.timeout_seconds, v.stop_outcome, v.expected_seconds, v.max_attempts, v.failures, v.on_orphan, v.orphans, v.access_mode, v.transactional, " +
			"v.dedup_key, nvl(v.duplicate_of, 0), v.parameters, systimestamp", ""}
}

func logInfo() view {
	return view{"log_info", "log_id", "outcome", "start_time", []string{"task_body", "error_message"},
		"v.log_id, v.task_id, v.process_id, v.execution_order, v.attempt, v.task_body, v.lane_id, v.session_id, t.enqueued_at, t.resource_name, v.start_time, v.end_time, v.outcome, " +
			"nvl(v.error_number, 0), v.error_message, v.error_procedure, nvl(v.error_line, 0), " +
			"t.timeout_seconds, t.status, systimestamp", "task_info"}
}

func workerInfo() view {
	return view{name: "worker_info", key: "lane_id", columns: "v.lane_id, v.state, nvl(v.session_id, 0), nvl(v.task_id, 0)"}
}

func alarmInfo() view {
	return view{"alarm_info", "alarm_id", "kind", "raised_at", []string{"alarm_text"},
		"v.alarm_id, v.raised_at, v.kind, nvl(v.process_id, 0), nvl(v.task_id, 0), nvl(v.lane_id, 0), v.alarm_text, v.acknowledged_at, v.acknowledged_by", ""}
}

// briefly is what is read of the texts of attempts when they are only listed.
var briefly = strings.NewReplacer("v.task_body", "substr(v.task_body, 1, 400)", "v.error_message", "substr(v.error_message, 1, 400)")

// query selects the newest f.Limit rows of a view.
func query(v view, f dialects.Filter) (text string, params []any) {
	where, params := where(v, f)
	columns := v.columns
	if f.Brief {
		columns = briefly.Replace(columns)
	}
	text = "select " + columns + "\nfrom " + object(v.name) + " v"
	if v.join != "" {
		text += "\nleft outer join " + object(v.join) + " t on t.task_id = v.task_id"
	}
	text += where
	if f.Page > 0 {
		text += "\norder by case when v.status in ('Failed', 'TimedOut') then 0 when v.status in ('Running', 'Stopping') then 1 else 2 end, v." + v.key + "\noffset :in_skip rows"
		params = append(params, sql.Named("in_skip", int64(f.Page-1)*int64(f.Limit)))
	} else {
		text += "\norder by v." + v.key + " desc"
	}
	if f.Limit > 0 {
		text += "\nfetch first :in_limit rows only"
		params = append(params, sql.Named("in_limit", int64(f.Limit)))
	}
	return text, params
}

// attemptsQuery counts what query selects without a limit.
func attemptsQuery(f dialects.Filter) (text string, params []any) {
	where, params := where(logInfo(), f)
	return "select count(*), count(case when v.end_time is null then 1 end), count(case when v.outcome in ('" + strings.Join(dialects.BadOutcomes(), "', '") +
		"') then 1 end),\n    count(distinct v.lane_id), nvl(min(v.log_id), 0), min(v.start_time), max(v.end_time)\nfrom " + object("log_info") + " v" + where, params
}

// where returns the condition of a filter; empty if there is none.
func where(v view, f dialects.Filter) (text string, params []any) {
	var where []string
	if f.ProcessID != 0 {
		where = append(where, "v.process_id = :in_process")
		params = append(params, sql.Named("in_process", f.ProcessID))
	}
	if f.TaskID != 0 {
		where = append(where, "v.task_id = :in_task")
		params = append(params, sql.Named("in_task", f.TaskID))
	}
	var statuses []string
	for i, status := range f.Statuses {
		name := fmt.Sprint("in_status", i+1)
		statuses = append(statuses, ":"+name)
		params = append(params, sql.Named(name, status))
	}
	if len(statuses) > 0 {
		where = append(where, "v."+v.status+" in ("+strings.Join(statuses, ", ")+")")
	}
	if f.Unacknowledged {
		where = append(where, "v.acknowledged_at is null")
	}
	if !f.Since.IsZero() {
		where = append(where, "v."+v.time+" >= :in_since")
		params = append(params, sql.Named("in_since", go_ora.TimeStampTZ(f.Since)))
	}
	if !f.Until.IsZero() {
		where = append(where, "v."+v.time+" < :in_until")
		params = append(params, sql.Named("in_until", go_ora.TimeStampTZ(f.Until)))
	}
	if f.Text != "" {
		where = append(where, "instr(upper(v."+strings.Join(v.texts, " || ' ' || v.")+"), upper(:in_text)) > 0")
		params = append(params, sql.Named("in_text", f.Text))
	}
	if !f.Open.IsZero() {
		where = append(where, "(v.finished_at is null or v.finished_at >= :in_open)")
		params = append(params, sql.Named("in_open", go_ora.TimeStampTZ(f.Open)))
	}
	if f.After != 0 {
		fresh := "v.log_id > :in_after"
		params = append(params, sql.Named("in_after", f.After))
		for i, id := range f.Also {
			fresh += fmt.Sprintf(" or v.log_id = :in_also%d", i+1)
			params = append(params, sql.Named(fmt.Sprint("in_also", i+1), id))
		}
		where = append(where, "("+fresh+")")
	}
	if f.From != 0 {
		where = append(where, "v.log_id >= :in_from")
		params = append(params, sql.Named("in_from", f.From))
	}
	if !f.Ended.IsZero() {
		where = append(where, "(v.end_time is null or v.end_time >= :in_ended)")
		params = append(params, sql.Named("in_ended", go_ora.TimeStampTZ(f.Ended)))
	}
	if f.Besides != 0 {
		where = append(where, "v.process_id <> :in_besides")
		params = append(params, sql.Named("in_besides", f.Besides))
	}
	if len(where) == 0 {
		return "", params
	}
	return "\nwhere " + strings.Join(where, " and "), params
}

// list runs a query on a view; oldest rows first, or as the page has them.
func list[T any](ctx context.Context, s *scheduler, v view, f dialects.Filter, scan func(*sql.Rows) (T, error)) ([]T, error) {
	text, params := query(v, f)
	all, err := read(ctx, s, object(v.name), text, params, scan)
	if f.Page == 0 {
		slices.Reverse(all)
	}
	return all, err
}

// read runs a query, and returns its rows in their order.
func read[T any](ctx context.Context, s *scheduler, name, query string, params []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := s.db.QueryContext(ctx, query, params...)
	if err != nil {
		return nil, s.failed(ctx, name, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, s.failed(ctx, name, err)
		}
		all = append(all, item)
	}
	return all, s.failed(ctx, name, rows.Err())
}

// pointer is a nullable time, in UTC.
func pointer(t sql.NullTime) *time.Time {
	if !t.Valid {
		return nil
	}
	at := t.Time.UTC()
	return &at
}

// Processes lists processes.
func (s *scheduler) Processes(ctx context.Context, f dialects.Filter) ([]dialects.Process, error) {
	return list(ctx, s, processInfo(), f, func(rows *sql.Rows) (dialects.Process, error) {
		var p dialects.Process
		var finished sql.NullTime
		err := rows.Scan(&p.ID, &p.Name, &p.Status, &p.OnError, &p.Priority, &p.Unfinished, &p.Running, &p.Order, &p.Succeeded, &p.Failed,
			&p.CreatedBy, &p.CreatedAt, &finished)
		p.CreatedAt, p.FinishedAt = p.CreatedAt.UTC(), pointer(finished)
		p.Seconds = dialects.Seconds(&p.CreatedAt, p.FinishedAt)
		return p, err
	})
}

// Tasks lists tasks.
func (s *scheduler) Tasks(ctx context.Context, f dialects.Filter) ([]dialects.Task, error) {
	return list(ctx, s, taskInfo(), f, func(rows *sql.Rows) (dialects.Task, error) {
		var t dialects.Task
		var reason, resource, outcome, access, key, parameters sql.NullString
		var due, started, finished sql.NullTime
		var transactional string
		var now time.Time
		err := rows.Scan(&t.ID, &t.ProcessID, &t.Order, &t.Status, &reason, &t.Priority, &t.Attempt, &t.SQL,
			&t.EnqueuedBy, &t.EnqueuedAt, &due, &t.Lane, &resource, &started, &finished,
			&t.Timeout, &outcome, &t.ExpectedSeconds, &t.MaxAttempts, &t.Failures, &t.OnOrphan, &t.Orphans, &access, &transactional,
			&key, &t.DuplicateOf, &parameters, &now)
		t.DueAt, t.Resource = pointer(due), resource.String
		t.StopOutcome, t.Access, t.Transactional, t.DedupKey, t.Parameters = outcome.String, access.String, transactional == "Y", key.String, parameters.String
		t.Reason, t.EnqueuedAt, t.StartedAt, t.FinishedAt = reason.String, t.EnqueuedAt.UTC(), pointer(started), pointer(finished)
		t.Measure(now)
		return t, err
	})
}

// Logs lists attempts.
func (s *scheduler) Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error) {
	return list(ctx, s, logInfo(), f, func(rows *sql.Rows) (dialects.LogEntry, error) {
		var e dialects.LogEntry
		var message, unit, resource, status sql.NullString
		var enqueued, finished sql.NullTime
		var now time.Time
		err := rows.Scan(&e.ID, &e.TaskID, &e.ProcessID, &e.Order, &e.Attempt, &e.SQL, &e.Lane, &e.SessionID, &enqueued, &resource, &e.StartedAt, &finished, &e.Outcome,
			&e.ErrorNumber, &message, &unit, &e.ErrorLine, &e.Timeout, &status, &now)
		e.EnqueuedAt, e.Resource, e.TaskStatus = pointer(enqueued), resource.String, status.String
		e.ErrorMessage, e.ErrorUnit, e.StartedAt, e.FinishedAt = message.String, unit.String, e.StartedAt.UTC(), pointer(finished)
		e.Measure(now)
		return e, err
	})
}

// Attempts counts attempts.
func (s *scheduler) Attempts(ctx context.Context, f dialects.Filter) (a dialects.Attempts, err error) {
	text, params := attemptsQuery(f)
	var begin, end sql.NullTime
	err = s.db.QueryRowContext(ctx, text, params...).Scan(&a.All, &a.Running, &a.Failed, &a.Lanes, &a.Oldest, &begin, &end)
	a.Begin, a.End = pointer(begin), pointer(end)
	return a, s.failed(ctx, object("log_info"), err)
}

// Lanes lists the worker slots.
func (s *scheduler) Lanes(ctx context.Context) ([]dialects.Lane, error) {
	return list(ctx, s, workerInfo(), dialects.Filter{}, func(rows *sql.Rows) (dialects.Lane, error) {
		var l dialects.Lane
		err := rows.Scan(&l.Lane, &l.State, &l.SessionID, &l.TaskID)
		return l, err
	})
}

func queuedQuery() string {
	return `select q.status, q.wait_reason, count(*), min(q.enqueued_at), min(q.due_at), count(q.runnable_since), min(q.runnable_since)
from (select v.status, v.wait_reason, v.enqueued_at, v.due_at,
             case when v.status = 'Pending' and v.execution_order = min(v.execution_order) over (partition by v.process_id) then v.enqueued_at end as runnable_since
      from ` + object("task_info") + ` v
      where v.finished_at is null) q
group by q.status, q.wait_reason
order by q.status, q.wait_reason`
}

// Queue counts the unfinished tasks.
func (s *scheduler) Queue(ctx context.Context) ([]dialects.Queued, error) {
	rows, err := s.db.QueryContext(ctx, queuedQuery())
	if err != nil {
		return nil, s.failed(ctx, object("task_info"), err)
	}
	defer rows.Close()
	var all []dialects.Queued
	for rows.Next() {
		var q dialects.Queued
		var reason sql.NullString
		var due, runnable sql.NullTime
		if err := rows.Scan(&q.Status, &reason, &q.Tasks, &q.Oldest, &due, &q.Runnable, &runnable); err != nil {
			return nil, fmt.Errorf("%s: %w", object("task_info"), err)
		}
		q.Reason, q.Oldest, q.NextDue, q.OldestRunnable = reason.String, q.Oldest.UTC(), pointer(due), pointer(runnable)
		all = append(all, q)
	}
	return all, s.failed(ctx, object("task_info"), rows.Err())
}

// EndCommand returns nothing: tasks get an error, and end by it unless they handle every one.
func (s *scheduler) EndCommand(context.Context) (string, error) { return "", nil }

// Alarms lists alarms.
func (s *scheduler) Alarms(ctx context.Context, f dialects.Filter) ([]dialects.Alarm, error) {
	return list(ctx, s, alarmInfo(), f, func(rows *sql.Rows) (dialects.Alarm, error) {
		var a dialects.Alarm
		var at sql.NullTime
		var by sql.NullString
		err := rows.Scan(&a.ID, &a.RaisedAt, &a.Kind, &a.ProcessID, &a.TaskID, &a.Lane, &a.Text, &at, &by)
		a.RaisedAt, a.AcknowledgedAt, a.AcknowledgedBy = a.RaisedAt.UTC(), pointer(at), by.String
		return a, err
	})
}

func kindsQuery() string {
	return "select v.kind, count(*)\nfrom " + object("alarm_info") + " v\nwhere v.acknowledged_at is null\ngroup by v.kind"
}

// AlarmKinds counts alarms.
func (s *scheduler) AlarmKinds(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	_, err := read(ctx, s, object("alarm_info"), kindsQuery(), nil, func(rows *sql.Rows) (kind string, err error) {
		var n int64
		err = rows.Scan(&kind, &n)
		counts[kind] = n
		return kind, err
	})
	return counts, err
}

func optionsQuery() string {
	return "select v.linger_seconds, v.idle_sweep_seconds, v.retention_days, v.max_retry_delay_seconds, v.max_orphans, " +
		"v.outage_seconds, v.max_tasks_per_user, v.default_timeout_seconds, v.alarm_hook\nfrom " + object("scheduler_info") + " v"
}

// Options reads the settings.
func (s *scheduler) Options(ctx context.Context) (o dialects.Options, err error) {
	var hook sql.NullString
	err = s.db.QueryRowContext(ctx, optionsQuery()).Scan(&o.LingerSeconds, &o.IdleSweepSeconds, &o.RetentionDays, &o.MaxRetryDelaySeconds, &o.MaxOrphans,
		&o.OutageSeconds, &o.MaxTasksPerUser, &o.DefaultTimeoutSeconds, &hook)
	o.AlarmHook = hook.String
	return o, s.failed(ctx, object("scheduler_info"), err)
}

func statusQuery() string {
	return "select v.version, v.started, v.copy_of, v.also_on, nvl(sys_context('USERENV', 'CDB_NAME'), sys_context('USERENV', 'DB_NAME')), v.policy, v.max_workers, v.max_lanes, v.workers, v.running, v.unfinished, v.alarms, v.blocked, systimestamp\nfrom " + object("scheduler_info") + " v"
}

// Status reads the one row of DS_SCHEDULER_INFO.
func (s *scheduler) Status(ctx context.Context) (dialects.Status, error) {
	st := dialects.Status{Target: s.Target(), Schema: s.Schema()}
	var version, copyOf, alsoOn, here, blocked sql.NullString
	var started string
	err := s.db.QueryRowContext(ctx, statusQuery()).Scan(&version, &started, &copyOf, &alsoOn, &here, &st.Policy, &st.MaxWorkers, &st.MaxLanes, &st.Workers, &st.Running, &st.Unfinished, &st.Alarms, &blocked, &st.Now)
	if errors.Is(err, sql.ErrNoRows) {
		return dialects.Status{Target: st.Target, Schema: st.Schema, Blocked: dialects.NoSettings, Now: time.Now().UTC()}, nil
	}
	st.Now = st.Now.UTC()
	st.Version, st.Started, st.CopyOf, st.AlsoOn, st.Blocked = version.String, started == "Y", copyOf.String, dialects.Elsewhere(alsoOn.String, here.String), dialects.Block(blocked.String)
	return st, s.failed(ctx, object("scheduler_info"), err)
}
