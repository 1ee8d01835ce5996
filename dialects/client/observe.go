package client

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// The views.
var (
	processes = view{name: "ProcessInfo", key: "ProcessId", status: "Status", time: "CreatedAt"}
	tasks     = view{name: "TaskInfo", key: "TaskId", status: "Status", time: "EnqueuedAt", texts: []string{"Name", "SqlText"}}
	logs      = view{name: "LogInfo", key: "LogId", status: "Outcome", time: "StartTime", texts: []string{"TaskName", "TaskBody", "ErrorMessage"}, join: "TaskInfo"}
	workers   = view{name: "WorkerInfo", key: "LaneId"}
	alarms    = view{name: "AlarmInfo", key: "AlarmId", status: "Kind", time: "RaisedAt", texts: []string{"AlarmText"}}
	resources = view{name: "ResourceInfo"}
	rounds    = view{name: "RoundInfo"}
	members   = view{name: "RoundMemberInfo"}
	schedules = view{name: "ScheduleInfo"}
	firings   = view{name: "ScheduleLog", key: "FiringId"}
	scheduler = view{name: "SchedulerInfo"}
)

func (c *Client) process(p *dialects.Process) ([]column, func()) {
	return []column{
		key("ProcessId", &p.ID), col("Name", &p.Name), key("Status", &p.Status), col("OnError", &p.OnError), col("Priority", &p.Priority),
		col("Unfinished", &p.Unfinished), col("Running", &p.Running), col("LowestOrder", &p.Order), col("TasksSucceeded", &p.Succeeded), col("TasksFailed", &p.Failed),
		col("CreatedBy", &p.CreatedBy), c.at("CreatedAt", &p.CreatedAt), c.maybeAt("FinishedAt", &p.FinishedAt),
	}, func() { p.Seconds = dialects.Seconds(&p.CreatedAt, p.FinishedAt) }
}

// Processes lists processes.
func (c *Client) Processes(ctx context.Context, f dialects.Filter) ([]dialects.Process, error) {
	return list(ctx, c, processes, f, c.process)
}

func (c *Client) task(t *dialects.Task) ([]column, func()) {
	var now time.Time
	return []column{
		key("TaskId", &t.ID), col("ProcessId", &t.ProcessID), col("ExecutionOrder", &t.Order), key("Status", &t.Status), col("WaitReason", &t.Reason),
		col("Priority", &t.Priority), col("Attempt", &t.Attempt), col("Name", &t.Name), col("SqlText", &t.SQL), col("EnqueuedBy", &t.EnqueuedBy), c.at("EnqueuedAt", &t.EnqueuedAt),
		c.maybeAt("DueAt", &t.DueAt), col("LaneId", &t.Lane), col("Resource", &t.Resource), c.maybeAt("StartedAt", &t.StartedAt), c.maybeAt("FinishedAt", &t.FinishedAt),
		col("TimeoutSeconds", &t.Timeout), col("StopOutcome", &t.StopOutcome), col("ExpectedSeconds", &t.ExpectedSeconds), col("MaxAttempts", &t.MaxAttempts),
		col("Failures", &t.Failures), col("OnOrphan", &t.OnOrphan), col("Orphans", &t.Orphans), col("Access", &t.Access), yes("Transactional", &t.Transactional),
		col("DedupKey", &t.DedupKey), col("DuplicateOf", &t.DuplicateOf), col("Parameters", &t.Parameters), c.now(&now),
	}, func() { t.Measure(now) }
}

// Tasks lists tasks.
func (c *Client) Tasks(ctx context.Context, f dialects.Filter) ([]dialects.Task, error) {
	return list(ctx, c, tasks, f, c.task)
}

func (c *Client) attempt(e *dialects.LogEntry) ([]column, func()) {
	var now time.Time
	return []column{
		key("LogId", &e.ID), col("TaskId", &e.TaskID), col("ProcessId", &e.ProcessID), col("ExecutionOrder", &e.Order), col("Attempt", &e.Attempt),
		col("TaskName", &e.Name), col("TaskBody", &e.SQL), col("LaneId", &e.Lane), col("SPID", &e.SessionID), c.maybeAt("t.EnqueuedAt", &e.EnqueuedAt), col("t.Resource", &e.Resource),
		c.at("StartTime", &e.StartedAt), c.maybeAt("EndTime", &e.FinishedAt), key("Outcome", &e.Outcome), col("ErrorNumber", &e.ErrorNumber),
		col("ErrorMessage", &e.ErrorMessage), col("ErrorProcedure", &e.ErrorUnit), col("ErrorLine", &e.ErrorLine), col("t.TimeoutSeconds", &e.Timeout),
		col("t.Status", &e.TaskStatus), c.now(&now),
	}, func() { e.Measure(now) }
}

// Logs lists attempts.
func (c *Client) Logs(ctx context.Context, f dialects.Filter) ([]dialects.LogEntry, error) {
	return list(ctx, c, logs, f, c.attempt)
}

// Attempts counts attempts.
func (c *Client) Attempts(ctx context.Context, f dialects.Filter) (a dialects.Attempts, err error) {
	text, params := c.attemptsQuery(f)
	err = c.one(ctx, text, params, []column{
		col("", &a.All), col("", &a.Running), col("", &a.Failed), col("", &a.Lanes), col("", &a.Oldest), c.maybeAt("", &a.Begin), c.maybeAt("", &a.End),
	})
	return a, c.failed(ctx, logs, err)
}

func (c *Client) failed(ctx context.Context, v view, err error) error {
	return c.Engine.Failed(ctx, c.Engine.Object(v.name), err)
}

// Lanes lists the worker slots.
func (c *Client) Lanes(ctx context.Context) ([]dialects.Lane, error) {
	return list(ctx, c, workers, dialects.Filter{}, func(l *dialects.Lane) ([]column, func()) {
		return []column{key("LaneId", &l.Lane), key("State", &l.State), col("SessionId", &l.SessionID), col("TaskId", &l.TaskID)}, nil
	})
}

// Queue counts the unfinished tasks.
func (c *Client) Queue(ctx context.Context) ([]dialects.Queued, error) {
	return read(ctx, c, tasks.name, c.queueQuery(), nil, func(q *dialects.Queued) ([]column, func()) {
		return []column{
			col("", &q.Status), col("", &q.Reason), col("", &q.Tasks), c.at("", &q.Oldest), c.maybeAt("", &q.NextDue), col("", &q.Runnable), c.maybeAt("", &q.OldestRunnable),
		}, nil
	})
}

func (c *Client) alarm(a *dialects.Alarm) ([]column, func()) {
	return []column{
		key("AlarmId", &a.ID), c.at("RaisedAt", &a.RaisedAt), key("Kind", &a.Kind), col("ProcessId", &a.ProcessID), col("TaskId", &a.TaskID), col("LaneId", &a.Lane),
		col("AlarmText", &a.Text), c.maybeAt("AcknowledgedAt", &a.AcknowledgedAt), col("AcknowledgedBy", &a.AcknowledgedBy), col("TaskName", &a.TaskName),
	}, nil
}

// Alarms lists alarms.
func (c *Client) Alarms(ctx context.Context, f dialects.Filter) ([]dialects.Alarm, error) {
	return list(ctx, c, alarms, f, c.alarm)
}

func (c *Client) kindsQuery() string {
	return "SELECT " + c.of("Kind") + ", " + c.Engine.Count() + "(*)" + c.from(alarms) + "\nWHERE " + c.of("AcknowledgedAt") + " IS NULL\nGROUP BY " + c.of("Kind")
}

// AlarmKinds counts alarms.
func (c *Client) AlarmKinds(ctx context.Context) (map[string]int64, error) {
	type kind struct {
		name string
		n    int64
	}
	counts := map[string]int64{}
	kinds, err := read(ctx, c, alarms.name, c.kindsQuery(), nil, func(k *kind) ([]column, func()) { return []column{col("", &k.name), col("", &k.n)}, nil })
	for _, k := range kinds {
		counts[k.name] = k.n
	}
	return counts, err
}

func (c *Client) options(o *dialects.Options) []column {
	columns := []column{col("AlarmHook", &o.AlarmHook)}
	for _, s := range o.Settings() {
		columns = append(columns, col(s.Name, s.Value))
	}
	return columns
}

// Options reads the settings.
func (c *Client) Options(ctx context.Context) (o dialects.Options, err error) {
	columns := c.options(&o)
	err = c.one(ctx, "SELECT "+c.selects(columns, scheduler, 0)+c.from(scheduler), nil, columns)
	return o, c.failed(ctx, scheduler, err)
}

func (c *Client) status(st *dialects.Status, alsoOn, here *string) []column {
	return []column{
		col("Version", &st.Version), yes("Started", &st.Started), col("CopyOf", &st.CopyOf), col("AlsoOn", alsoOn), {text: c.Engine.Here(), into: zero[string]{here}},
		col("Policy", &st.Policy), col("MaxWorkers", &st.MaxWorkers), col("MaxLanes", &st.MaxLanes), col("Workers", &st.Workers), col("Running", &st.Running),
		col("Unfinished", &st.Unfinished), col("Alarms", &st.Alarms), col("Blocked", &st.Blocked), c.now(&st.Now),
	}
}

// Status reads the one row of SchedulerInfo.
func (c *Client) Status(ctx context.Context) (dialects.Status, error) {
	var st dialects.Status
	var alsoOn, here string
	columns := c.status(&st, &alsoOn, &here)
	err := c.one(ctx, "SELECT "+c.selects(columns, scheduler, 0)+c.from(scheduler), nil, columns)
	if errors.Is(err, sql.ErrNoRows) {
		st, err = dialects.Status{Blocked: dialects.NoSettings, Now: time.Now().UTC()}, nil
	}
	st.Target, st.Schema, st.AlsoOn = c.Engine.Target(), c.Engine.Schema(), dialects.Elsewhere(alsoOn, here)
	return st, c.failed(ctx, scheduler, err)
}

func (c *Client) request(r *dialects.ResourceRequest) ([]column, func()) {
	return []column{
		key("Resource", &r.Resource), col("Capacity", &r.Capacity), col("Held", &r.Held), col("Waiting", &r.Waiting), col("RequestId", &r.Request), col("Status", &r.Status),
		col("Access", &r.Access), col("Requester", &r.Requester), col("RequestedBy", &r.RequestedBy), col("ProcessId", &r.ProcessID), col("TaskId", &r.TaskID),
		col("SessionId", &r.SessionID), c.maybeAt("RequestedAt", &r.RequestedAt), c.maybeAt("GrantedAt", &r.GrantedAt), c.maybeAt("LeaseUntil", &r.LeaseUntil),
	}, nil
}

// Resources lists resources and their lines.
func (c *Client) Resources(ctx context.Context) ([]dialects.ResourceRequest, error) {
	return all(ctx, c, resources, c.of("Resource")+", "+c.of("RequestId"), c.request)
}

func (c *Client) round(r *dialects.Round) ([]column, func()) {
	return []column{
		key("RoundId", &r.ID), col("Name", &r.Name), col("Generation", &r.Generation), col("Members", &r.Members), col("Succeeded", &r.Succeeded), col("Failed", &r.Failed),
		c.maybeAt("FirstReportAt", &r.FirstReportAt), col("SuccessorJob", &r.SuccessorJob), col("SuccessorSql", &r.SuccessorSQL), col("MaxAgeSeconds", &r.MaxAgeSeconds),
		col("StartSeconds", &r.StartSeconds), col("LastGeneration", &r.LastGeneration), col("LastStatus", &r.LastStatus), c.maybeAt("LastFiredAt", &r.LastFiredAt),
		col("LastFiredBy", &r.LastFiredBy), col("LastTaskId", &r.LastTaskID), col("LastDetail", &r.LastDetail), col("DefinedBy", &r.DefinedBy),
	}, nil
}

// report is a report of a round's member.
type report struct {
	round int64
	dialects.RoundReport
}

func (c *Client) report(r *report) ([]column, func()) {
	return []column{key("RoundId", &r.round), col("Member", &r.Member), maybeYes("Succeeded", &r.Succeeded), c.maybeAt("ReportedAt", &r.ReportedAt)}, nil
}

// Rounds lists rounds with their reports.
func (c *Client) Rounds(ctx context.Context) ([]dialects.Round, error) {
	found, err := all(ctx, c, rounds, c.of("Name"), c.round)
	if err != nil || len(found) == 0 {
		return found, err
	}
	reports, err := all(ctx, c, members, c.of("RoundId")+", "+c.of("Member"), c.report)
	for _, r := range reports {
		if i := slices.IndexFunc(found, func(f dialects.Round) bool { return f.ID == r.round }); i >= 0 {
			found[i].Reports = append(found[i].Reports, r.RoundReport)
		}
	}
	return found, err
}

func (c *Client) scheduled(r *dialects.Schedule) ([]column, func()) {
	var next, local *time.Time
	return []column{
		key("ScheduleId", &r.ID), col("Name", &r.Name), col("Calendar", &r.Calendar), col("Zone", &r.Zone), key("Status", &r.Status), col("Reason", &r.Reason),
		c.maybeAt("NextAt", &next), {name: "NextLocal", into: c.nullable(&local, Wall)}, c.at("BeginAt", &r.BeginAt), c.maybeAt("EndAt", &r.EndAt),
		c.maybeAt("LastDueAt", &r.LastDueAt), col("LastProcessId", &r.LastProcessID), col("LastStatus", &r.LastStatus), c.maybeAt("LastFinishedAt", &r.LastFinishedAt),
		col("Running", &r.Running), col("Waiting", &r.Waiting), col("Fired", &r.Fired), col("Skipped", &r.Skipped), col("Missed", &r.Missed), col("Overlap", &r.Overlap),
		col("MissedPolicy", &r.MissedPolicy), col("Tasks", &r.Tasks), col("OnError", &r.OnError), col("Weight", &r.Weight), col("MaxParallel", &r.MaxParallel), col("OwnedBy", &r.OwnedBy),
	}, func() { r.SetNext(next, local) }
}

// Schedules lists schedules.
func (c *Client) Schedules(ctx context.Context, name string) ([]dialects.Schedule, error) {
	if name == "" {
		return all(ctx, c, schedules, c.of("Name"), c.scheduled)
	}
	return c.named(ctx, name)
}

func (c *Client) named(ctx context.Context, name string) ([]dialects.Schedule, error) {
	columns, _ := c.scheduled(new(dialects.Schedule))
	w := &conditions{Client: c}
	w.add("Name", "=", "name", name)
	return read(ctx, c, schedules.name, "SELECT "+c.selects(columns, schedules, 0)+c.from(schedules)+w.String(), w.params, c.scheduled)
}

// ScheduleCounts counts schedules.
func (c *Client) ScheduleCounts(ctx context.Context) (counts dialects.ScheduleCounts, err error) {
	type counted struct {
		status, name string
		n, late      int64
		next         *time.Time
	}
	rows, err := read(ctx, c, schedules.name, c.scheduleCountQuery(), nil, func(r *counted) ([]column, func()) {
		return []column{col("", &r.status), col("", &r.n), col("", &r.late), c.maybeAt("", &r.next), col("", &r.name)}, nil
	})
	for _, r := range rows {
		counts.Add(r.status, r.n, r.late, r.next, r.name)
	}
	return counts, err
}

func (c *Client) firing(f *dialects.Firing) ([]column, func()) {
	return []column{
		key("FiringId", &f.ID), col("Name", &f.Schedule), c.at("DueAt", &f.DueAt), yes("Manual", &f.Manual), key("Status", &f.Status), col("Detail", &f.Detail),
		c.at("LoggedAt", &f.LoggedAt), col("ProcessId", &f.ProcessID), c.maybeAt("FinishedAt", &f.FinishedAt),
	}, nil
}

// Firings lists firings, oldest first.
func (c *Client) Firings(ctx context.Context, name string, limit int) ([]dialects.Firing, error) {
	text, params := c.firingQuery(name, limit)
	found, err := read(ctx, c, firings.name, text, params, c.firing)
	slices.Reverse(found)
	return found, err
}

func (c *Client) firingQuery(name string, limit int) (string, []any) {
	columns, _ := c.firing(new(dialects.Firing))
	w := &conditions{Client: c}
	if name != "" {
		w.add("Name", "=", "name", name)
	}
	text := "SELECT " + c.selects(columns, firings, 0) + c.from(firings) + w.String() + "\nORDER BY " + c.of("FiringId") + " DESC"
	if limit > 0 {
		text += w.page(0, limit)
	}
	return text, w.params
}
