package client

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

func (c *Client) do(ctx context.Context, call Call) error { return c.Send(ctx, c.DB, call) }

// alone sends a call that must be committed.
func (c *Client) alone(ctx context.Context, call Call) error {
	if c.Engine.Commits() {
		return c.do(ctx, call)
	}
	return c.transaction(ctx, func(tx Querier) error { return c.Send(ctx, tx, call) })
}

// Start starts the scheduler.
func (c *Client) Start(ctx context.Context) error { return c.do(ctx, New("StartScheduler")) }

// StartHere starts the scheduler in a copy of its database.
func (c *Client) StartHere(ctx context.Context) error {
	return c.do(ctx, New("StartScheduler").Set("Here", true))
}

// StartMoved starts the scheduler where its database is now.
func (c *Client) StartMoved(ctx context.Context) error {
	return c.do(ctx, New("StartScheduler").Set("Moved", true))
}

// StartAlsoOn starts the scheduler and names the other servers of its database (on Oracle, the other databases of its pluggable database).
func (c *Client) StartAlsoOn(ctx context.Context, names []string) error {
	return c.do(ctx, New("StartScheduler").Set("AlsoOn", dialects.AlsoOn(names)))
}

// Stop stops the scheduler.
func (c *Client) Stop(ctx context.Context, mode dialects.StopMode) error {
	return c.do(ctx, Stop(mode))
}

// Stop is the call that stops the scheduler.
func Stop(mode dialects.StopMode) Call { return New("StopScheduler").Set("Mode", string(mode)) }

// SetWorkers changes how many tasks may run at once.
func (c *Client) SetWorkers(ctx context.Context, n int) error {
	return c.do(ctx, New("SetWorkers").Set("MaxWorkers", int64(n)))
}

// SetPolicy changes which process is served first.
func (c *Client) SetPolicy(ctx context.Context, p dialects.Policy) error {
	return c.do(ctx, New("SetPolicy").Set("Policy", string(p)))
}

// AcknowledgeAlarms acknowledges alarms.
func (c *Client) AcknowledgeAlarms(ctx context.Context, upTo int64) error {
	return c.do(ctx, with(New("AcknowledgeAlarms"), "UpTo", upTo))
}

// AcknowledgeAlarm acknowledges one alarm.
func (c *Client) AcknowledgeAlarm(ctx context.Context, id int64) error {
	return c.do(ctx, New("AcknowledgeAlarms").Set("AlarmId", id))
}

// Purge deletes old tasks, processes, attempts and alarms.
func (c *Client) Purge(ctx context.Context, days int) error {
	return c.do(ctx, New("Purge").Set("Days", int64(days)))
}

// SetOptions changes settings.
func (c *Client) SetOptions(ctx context.Context, o dialects.Options) error {
	call := New("SetOptions")
	for _, s := range o.Settings() {
		if *s.Value != nil {
			call = call.Set(s.Name, **s.Value)
		}
	}
	return c.do(ctx, call)
}

// SetAlarmHook sets the procedure that is called for each alarm.
func (c *Client) SetAlarmHook(ctx context.Context, procedure string) error {
	return c.do(ctx, with(New("SetAlarmHook"), "Procedure", procedure))
}

// Exec enqueues the tasks in one transaction: all of them, or none.
func (c *Client) Exec(ctx context.Context, tasks []dialects.NewTask) (ids []int64, err error) {
	if len(tasks) == 1 && c.Engine.Commits() {
		return c.each(ctx, c.DB, 0, tasks)
	}
	err = c.transaction(ctx, func(tx Querier) (err error) {
		ids, err = c.enqueue(ctx, tx, 0, tasks)
		return err
	})
	return ids, err
}

// enqueue adds tasks, several with one call: that costs a fraction, and the call's errors give the task's position. process: of all; 0: each
// names its own.
func (c *Client) enqueue(ctx context.Context, tx Querier, process int64, tasks []dialects.NewTask) ([]int64, error) {
	if len(tasks) == 1 || c.DryRun != nil {
		return c.each(ctx, tx, process, tasks)
	}
	return c.Engine.Batch(ctx, tx, process, tasks)
}

// each enqueues tasks with a call for each.
func (c *Client) each(ctx context.Context, on Execer, process int64, tasks []dialects.NewTask) ([]int64, error) {
	if process != 0 {
		tasks = OfProcess(process, tasks)
	}
	ids := make([]int64, len(tasks))
	for i, t := range tasks {
		var id sql.NullInt64
		if err := c.Send(ctx, on, Exec(t).Returns("TaskId", &id)); err != nil {
			return nil, err
		}
		ids[i] = id.Int64
	}
	return ids, nil
}

// OfProcess returns the tasks as those of a process; 0: of none yet.
func OfProcess(process int64, tasks []dialects.NewTask) []dialects.NewTask {
	tasks = slices.Clone(tasks)
	for i := range tasks {
		tasks[i].ProcessID = process
	}
	return tasks
}

// Exec is the call that enqueues a task.
func Exec(t dialects.NewTask) Call {
	c := New("ExecAsync").Set("SQL", t.SQL).Set("ExecutionOrder", int64(t.Order))
	c = with(c, "ProcessId", t.ProcessID)
	c = with(c, "Priority", t.Priority)
	c = with(c, "MaxAttempts", t.MaxAttempts)
	c = with(c, "RetryDelaySeconds", t.RetryDelay)
	if !t.NotBefore.IsZero() {
		c = c.Set("NotBefore", t.NotBefore)
	}
	c = with(c, "ExpectedSeconds", t.ExpectedSeconds)
	c = with(c, "TimeoutSeconds", t.Timeout)
	c = with(c, "OnOrphan", t.OnOrphan)
	c = with(c, "Resource", t.Resource)
	c = with(c, "Access", t.Access)
	c = with(c, "Transactional", t.Transactional)
	c = with(c, "DedupKey", t.DedupKey)
	c = with(c, "Parameters", t.Parameters)
	return with(c, "Name", t.Name)
}

// StoredTasks writes tasks as ExecAsyncBatch reads them: the arguments of ExecAsync, in their order.
func (c *Client) StoredTasks(tasks []dialects.NewTask) (string, error) {
	var all []string
	for _, t := range tasks {
		var members []string
		for _, a := range Exec(t).Args {
			value := a.Value
			switch v := value.(type) {
			case time.Time:
				value = c.Engine.Stored(v)
			case string:
				if a.Name == "Parameters" {
					value = json.RawMessage(v)
					if !json.Valid([]byte(v)) {
						value = "no JSON" // the server refuses anything but an object, with the task's number
					}
				}
			}
			text, err := json.Marshal(value)
			if err != nil {
				return "", fmt.Errorf("%s: %w", a.Name, err)
			}
			members = append(members, fmt.Sprintf("%q:%s", c.Engine.Name(a.Name), text))
		}
		all = append(all, "{"+strings.Join(members, ",")+"}")
	}
	return "[" + strings.Join(all, ",") + "]", nil
}

// CreateProcess creates a process and returns its id.
func (c *Client) CreateProcess(ctx context.Context, p dialects.NewProcess) (int64, error) {
	var id sql.NullInt64
	err := c.alone(ctx, create(p).Returns("ProcessId", &id))
	return id.Int64, err
}

func create(p dialects.NewProcess) Call {
	c := New("CreateProcess").Set("Name", p.Name)
	c = with(c, "Priority", p.Priority)
	c = with(c, "Weight", p.Weight)
	c = with(c, "MaxParallel", p.MaxParallel)
	return with(c, "OnError", p.OnError)
}

// CloseProcess lets a process end when its tasks have ended.
func (c *Client) CloseProcess(ctx context.Context, id int64) error {
	return c.alone(ctx, New("CloseProcess").Set("ProcessId", id))
}

// CancelTask cancels a task.
func (c *Client) CancelTask(ctx context.Context, id int64) error {
	return c.do(ctx, New("CancelTask").Set("TaskId", id))
}

// CancelProcess cancels a process.
func (c *Client) CancelProcess(ctx context.Context, id int64) error {
	return c.do(ctx, New("CancelProcess").Set("ProcessId", id))
}

// RetryTask runs a task again.
func (c *Client) RetryTask(ctx context.Context, id int64) error {
	return c.do(ctx, New("RetryTask").Set("TaskId", id))
}

// RetryProcess resumes a process where it failed.
func (c *Client) RetryProcess(ctx context.Context, id int64) error {
	return c.do(ctx, New("RetryProcess").Set("ProcessId", id))
}

// Submit creates a process with all its tasks in one transaction.
func (c *Client) Submit(ctx context.Context, p dialects.NewProcess, tasks []dialects.NewTask) (done dialects.Submitted, err error) {
	first := create(p).Set("Suspended", true)
	last := []Call{New("ReleaseProcess"), New("CloseProcess")}
	tasks = OfProcess(0, tasks)
	if c.DryRun != nil {
		var others []Call
		for _, t := range tasks {
			others = append(others, Exec(t))
		}
		others = append(others, last...)
		for i := range others {
			others[i] = others[i].Set("ProcessId", Created{})
		}
		c.DryRun(dialects.Batch{Name: "process " + strings.Join(strings.Fields(p.Name), " "), SQL: c.Engine.Script(first, others)})
		return done, nil
	}
	err = c.transaction(ctx, func(tx Querier) error {
		var id sql.NullInt64
		if err := c.Send(ctx, tx, first.Returns("ProcessId", &id)); err != nil {
			return err
		}
		done.ProcessID = id.Int64
		if done.TaskIDs, err = c.enqueue(ctx, tx, done.ProcessID, tasks); err != nil {
			return err
		}
		for _, call := range last {
			if err := c.Send(ctx, tx, call.Set("ProcessId", done.ProcessID)); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// FindProcess finds a process by id or by name: unfinished ones first, then the newest.
func (c *Client) FindProcess(ctx context.Context, nameOrID string) (int64, error) {
	number, _ := strconv.ParseInt(nameOrID, 10, 32) // 0 for a name; no process has that id
	var id int64
	text, params := c.processQuery(number, nameOrID)
	err := c.DB.QueryRowContext(ctx, text, params...).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, dialects.Usagef("there is no process %q, or you are not allowed to see it. To list them, run 'dbsched processes'", nameOrID)
	}
	return id, c.failed(ctx, processes, err)
}

// DefineResource defines a resource or changes its capacity.
func (c *Client) DefineResource(ctx context.Context, name string, capacity int) error {
	return c.do(ctx, New("DefineResource").Set("Name", name).Set("Capacity", int64(capacity)))
}

// DropResource removes a resource with no holders or waiters.
func (c *Client) DropResource(ctx context.Context, name string) error {
	return c.do(ctx, New("DropResource").Set("Name", name))
}

// ReleaseResource ends a request.
func (c *Client) ReleaseResource(ctx context.Context, request int64) error {
	return c.do(ctx, New("ReleaseResource").Set("RequestId", request))
}

// DefineRound defines a round, changes it, or removes one without members.
func (c *Client) DefineRound(ctx context.Context, r dialects.NewRound) error {
	call := New("DefineRound").Set("Round", r.Name).Set("Members", r.Members)
	call = with(call, "SuccessorJob", r.SuccessorJob)
	call = with(call, "SuccessorSQL", r.SuccessorSQL)
	call = with(call, "ExecutionOrder", r.Order)
	call = with(call, "ProcessId", r.ProcessID)
	call = with(call, "MaxAgeSeconds", r.MaxAge)
	return c.do(ctx, with(call, "StartSeconds", r.StartTimeout))
}

// ReportRound reports for a member. If a job must be started, this session starts it.
func (c *Client) ReportRound(ctx context.Context, round, member string, succeeded bool) (dialects.RoundOutcome, error) {
	var outcome sql.NullString
	err := c.do(ctx, New("ReportRound").Set("Round", round).Set("Member", member).Set("Succeeded", succeeded).Returns("Outcome", &outcome))
	return dialects.RoundOutcome(outcome.String), err
}

// CreateSchedule creates a schedule.
func (c *Client) CreateSchedule(ctx context.Context, n dialects.NewSchedule) error {
	call, err := c.schedule("CreateSchedule", n)
	if err != nil {
		return err
	}
	if n.Disabled {
		call = call.Set("Enabled", false)
	}
	return c.do(ctx, call)
}

// AlterSchedule changes a schedule.
func (c *Client) AlterSchedule(ctx context.Context, n dialects.NewSchedule) error {
	call, err := c.schedule("AlterSchedule", n)
	if err != nil {
		return err
	}
	return c.do(ctx, call)
}

func (c *Client) schedule(procedure string, n dialects.NewSchedule) (Call, error) {
	call := with(New(procedure).Set("Name", n.Name), "Calendar", n.Calendar)
	if len(n.Tasks) > 0 {
		tasks, err := c.StoredTasks(n.Tasks)
		if err != nil {
			return Call{}, fmt.Errorf("tasks of schedule %s: %w", n.Name, err)
		}
		call = call.Set("Tasks", tasks)
	}
	call = with(call, "Zone", n.Zone)
	call = with(call, "Overlap", n.Overlap)
	call = with(call, "Missed", n.Missed)
	call = with(call, "OnError", n.Process.OnError)
	call = with(call, "Weight", n.Process.Weight)
	call = with(call, "MaxParallel", n.Process.MaxParallel)
	if !n.Begin.IsZero() {
		call = call.Set("BeginAt", n.Begin)
	}
	if !n.End.IsZero() {
		call = call.Set("EndAt", n.End)
	}
	return call, nil
}

// SetScheduleEnabled enables or disables a schedule.
func (c *Client) SetScheduleEnabled(ctx context.Context, name string, enabled bool) error {
	return c.do(ctx, New("SetScheduleEnabled").Set("Name", name).Set("Enabled", enabled))
}

// RunSchedule fires a schedule now.
func (c *Client) RunSchedule(ctx context.Context, name string) error {
	return c.do(ctx, New("RunSchedule").Set("Name", name))
}

// DropSchedule removes a schedule.
func (c *Client) DropSchedule(ctx context.Context, name string) error {
	return c.do(ctx, New("DropSchedule").Set("Name", name))
}
