package oracle

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/dbsched/dbsched/dialects"
)

// Start starts the scheduler.
func (s *scheduler) Start(ctx context.Context) error {
	return s.send(ctx, s.db, call{proc: "start_scheduler"})
}

// StartHere starts the scheduler in a copy of its database.
func (s *scheduler) StartHere(ctx context.Context) error {
	return s.send(ctx, s.db, call{proc: "start_scheduler"}.set("in_here", verbatim("true")))
}

// StartMoved starts the scheduler where its database is now.
func (s *scheduler) StartMoved(ctx context.Context) error {
	return s.send(ctx, s.db, call{proc: "start_scheduler"}.set("in_moved", verbatim("true")))
}

// StartAlsoOn starts the scheduler and names the other databases of its pluggable database.
func (s *scheduler) StartAlsoOn(ctx context.Context, names []string) error {
	return s.send(ctx, s.db, call{proc: "start_scheduler"}.set("in_also_on", dialects.AlsoOn(names)))
}

// Stop stops the scheduler.
func (s *scheduler) Stop(ctx context.Context, mode dialects.StopMode) error {
	return s.send(ctx, s.db, stopCall(mode))
}

func stopCall(mode dialects.StopMode) call {
	return call{proc: "stop_scheduler"}.set("in_mode", string(mode))
}

// SetWorkers changes how many tasks may run at once.
func (s *scheduler) SetWorkers(ctx context.Context, n int) error {
	return s.send(ctx, s.db, call{proc: "set_workers"}.set("in_max_workers", int64(n)))
}

// AcknowledgeAlarms acknowledges alarms.
func (s *scheduler) AcknowledgeAlarms(ctx context.Context, upTo int64) error {
	return s.send(ctx, s.db, call{proc: "acknowledge_alarms"}.setIf(upTo != 0, "in_up_to", upTo))
}

// AcknowledgeAlarm acknowledges one alarm.
func (s *scheduler) AcknowledgeAlarm(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, call{proc: "acknowledge_alarms"}.set("in_alarm_id", id))
}

// Purge deletes old tasks, processes, attempts and alarms.
func (s *scheduler) Purge(ctx context.Context, days int) error {
	return s.send(ctx, s.db, call{proc: "purge"}.set("in_days", int64(days)))
}

// SetOptions changes settings.
func (s *scheduler) SetOptions(ctx context.Context, o dialects.Options) error {
	return s.send(ctx, s.db, optionsCall(o))
}

func optionsCall(o dialects.Options) call {
	c := call{proc: "set_options"}
	for _, option := range []struct {
		name  string
		value *int64
	}{
		{"in_linger_seconds", o.LingerSeconds}, {"in_idle_sweep_seconds", o.IdleSweepSeconds}, {"in_retention_days", o.RetentionDays},
		{"in_max_retry_delay_seconds", o.MaxRetryDelaySeconds}, {"in_max_orphans", o.MaxOrphans},
		{"in_outage_seconds", o.OutageSeconds}, {"in_max_tasks_per_user", o.MaxTasksPerUser}, {"in_default_timeout_seconds", o.DefaultTimeoutSeconds},
	} {
		if option.value != nil {
			c = c.set(option.name, *option.value)
		}
	}
	return c
}

// SetAlarmHook sets the procedure that is called for each alarm.
func (s *scheduler) SetAlarmHook(ctx context.Context, procedure string) error {
	return s.send(ctx, s.db, call{proc: "set_alarm_hook"}.setIf(procedure != "", "in_procedure", procedure))
}

// SetPolicy changes which process is served first.
func (s *scheduler) SetPolicy(ctx context.Context, p dialects.Policy) error {
	return s.send(ctx, s.db, call{proc: "set_policy"}.set("in_policy", string(p)))
}

// Exec enqueues the tasks in one transaction: all of them, or none.
func (s *scheduler) Exec(ctx context.Context, tasks []dialects.NewTask) ([]int64, error) {
	var ids []int64
	err := s.inTransaction(ctx, func(tx execer) (err error) {
		ids, err = s.enqueue(ctx, tx, 0, tasks)
		return err
	})
	return ids, err
}

func execCall(t dialects.NewTask, id *sql.NullInt64) call {
	c := call{proc: "exec_async", out: []arg{{"out_task_id", id}}}
	return c.set("in_sql", t.SQL).set("in_execution_order", int64(t.Order)).
		setIf(t.ProcessID != 0, "in_process_id", t.ProcessID).
		setIf(t.Priority != 0, "in_priority", int64(t.Priority)).
		setIf(t.MaxAttempts != 0, "in_max_attempts", int64(t.MaxAttempts)).
		setIf(t.RetryDelay != 0, "in_retry_delay_seconds", seconds(t.RetryDelay)).
		setIf(!t.NotBefore.IsZero(), "in_not_before", t.NotBefore).
		setIf(t.ExpectedSeconds != 0, "in_expected_seconds", int64(t.ExpectedSeconds)).
		setIf(t.Resource != "", "in_resource", t.Resource).
		setIf(t.Access != "", "in_access", t.Access).
		setIf(t.Timeout != 0, "in_timeout_seconds", seconds(t.Timeout)).
		setIf(t.OnOrphan != "", "in_on_orphan", t.OnOrphan).
		setIf(t.Transactional, "in_transactional", verbatim("true")).
		setIf(t.DedupKey != "", "in_dedup_key", t.DedupKey).
		setIf(t.Parameters != "", "in_parameters", t.Parameters)
}

// CreateProcess creates a process and returns its id.
func (s *scheduler) CreateProcess(ctx context.Context, p dialects.NewProcess) (int64, error) {
	var id sql.NullInt64
	err := s.inTransaction(ctx, func(tx execer) error { return s.send(ctx, tx, createCall(p, &id)) })
	return id.Int64, err
}

func createCall(p dialects.NewProcess, id *sql.NullInt64) call {
	c := call{proc: "create_process", out: []arg{{"out_process_id", id}}}
	return c.set("in_name", p.Name).
		setIf(p.Priority != 0, "in_priority", int64(p.Priority)).
		setIf(p.Weight != 0, "in_weight", int64(p.Weight)).
		setIf(p.MaxParallel != 0, "in_max_parallel", int64(p.MaxParallel)).
		setIf(p.OnError != "", "in_on_error", p.OnError)
}

// CloseProcess lets a process end when its tasks have ended.
func (s *scheduler) CloseProcess(ctx context.Context, id int64) error {
	return s.inTransaction(ctx, func(tx execer) error { return s.send(ctx, tx, processCall("close_process", id)) })
}

// CancelTask cancels a task.
func (s *scheduler) CancelTask(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, taskCall("cancel_task", id))
}

// CancelProcess cancels a process.
func (s *scheduler) CancelProcess(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, processCall("cancel_process", id))
}

// RetryTask runs a task again.
func (s *scheduler) RetryTask(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, taskCall("retry_task", id))
}

// RetryProcess resumes a process where it failed.
func (s *scheduler) RetryProcess(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, processCall("retry_process", id))
}

func taskCall(proc string, id int64) call { return call{proc: proc}.set("in_task_id", id) }

func processCall(proc string, id any) call { return call{proc: proc}.set("in_process_id", id) }

// waitSlice is how long one call of wait_process lasts: a waiting server notices late
// that the client has given up, and a DSN may limit how long a read takes.
const waitSlice = 5 * time.Second

// WaitProcess waits on the server; its procedure returns 2 when the time is up.
func (s *scheduler) WaitProcess(ctx context.Context, id int64, timeout time.Duration) (bool, error) {
	for {
		slice := min(timeout, waitSlice)
		var result sql.NullInt64
		var status sql.NullString
		if err := s.send(ctx, s.db, waitCall(id, slice, &result, &status)); err != nil {
			return false, err
		}
		if timeout -= slice; result.Int64 != 2 || timeout < time.Second {
			return result.Int64 != 2, nil
		}
	}
}

func waitCall(id int64, timeout time.Duration, result *sql.NullInt64, status *sql.NullString) call {
	c := call{proc: "wait_process", out: []arg{{"out_result", result}, {"out_status", status}}}
	return c.set("in_process_id", id).set("in_timeout_seconds", seconds(timeout))
}

// processQuery finds processes by name: unfinished ones first, the newest first.
func processQuery() string {
	return "select v.process_id\nfrom " + object("process_info") + " v\nwhere v.process_id = :in_id or v.name = :in_name\n" +
		"order by case when v.name = :in_same then 1 else 0 end, case when v.finished_at is null then 0 else 1 end, v.process_id desc"
}

// FindProcess finds a process by id or by name: unfinished ones first, then the newest.
func (s *scheduler) FindProcess(ctx context.Context, nameOrID string) (int64, error) {
	number, _ := strconv.ParseInt(nameOrID, 10, 32) // 0 for a name; no process has that id
	var id int64
	err := s.db.QueryRowContext(ctx, processQuery(), sql.Named("in_id", number), sql.Named("in_name", nameOrID), sql.Named("in_same", nameOrID)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, dialects.Usagef("there is no process %q, or you are not allowed to see it. To list them, run 'dbsched processes'", nameOrID)
	}
	return id, s.failed(ctx, object("process_info"), err)
}
