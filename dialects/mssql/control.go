package mssql

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

// Start starts the scheduler.
func (s *scheduler) Start(ctx context.Context) error {
	return s.send(ctx, s.db, call{proc: "StartScheduler"})
}

// StartHere starts the scheduler in a copy of its database.
func (s *scheduler) StartHere(ctx context.Context) error {
	return s.send(ctx, s.db, call{proc: "StartScheduler"}.set("Here", true))
}

// StartMoved starts the scheduler where its database is now.
func (s *scheduler) StartMoved(ctx context.Context) error {
	return s.send(ctx, s.db, call{proc: "StartScheduler"}.set("Moved", true))
}

// StartAlsoOn starts the scheduler and names the other servers of its database.
func (s *scheduler) StartAlsoOn(ctx context.Context, names []string) error {
	return s.send(ctx, s.db, call{proc: "StartScheduler"}.set("AlsoOn", dialects.AlsoOn(names)))
}

// Stop stops the scheduler.
func (s *scheduler) Stop(ctx context.Context, mode dialects.StopMode) error {
	return s.send(ctx, s.db, stopCall(mode))
}

// SetWorkers changes how many tasks may run at once.
func (s *scheduler) SetWorkers(ctx context.Context, n int) error {
	return s.send(ctx, s.db, call{proc: "SetWorkers"}.set("MaxWorkers", int64(n)))
}

// AcknowledgeAlarms acknowledges alarms.
func (s *scheduler) AcknowledgeAlarms(ctx context.Context, upTo int64) error {
	return s.send(ctx, s.db, call{proc: "AcknowledgeAlarms"}.setIf(upTo != 0, "UpTo", upTo))
}

// AcknowledgeAlarm acknowledges one alarm.
func (s *scheduler) AcknowledgeAlarm(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, call{proc: "AcknowledgeAlarms"}.set("AlarmId", id))
}

// Purge deletes old tasks, processes, attempts and alarms.
func (s *scheduler) Purge(ctx context.Context, days int) error {
	return s.send(ctx, s.db, call{proc: "Purge"}.set("Days", int64(days)))
}

// SetOptions changes settings.
func (s *scheduler) SetOptions(ctx context.Context, o dialects.Options) error {
	return s.send(ctx, s.db, optionsCall(o))
}

func optionsCall(o dialects.Options) call {
	c := call{proc: "SetOptions"}
	for _, option := range []struct {
		name  string
		value *int64
	}{
		{"LingerSeconds", o.LingerSeconds}, {"IdleSweepSeconds", o.IdleSweepSeconds}, {"RetentionDays", o.RetentionDays},
		{"MaxRetryDelaySeconds", o.MaxRetryDelaySeconds}, {"MaxOrphans", o.MaxOrphans},
		{"OutageSeconds", o.OutageSeconds}, {"MaxTasksPerUser", o.MaxTasksPerUser}, {"DefaultTimeoutSeconds", o.DefaultTimeoutSeconds},
	} {
		if option.value != nil {
			c = c.set(option.name, *option.value)
		}
	}
	return c
}

// SetAlarmHook sets the procedure that is called for each alarm.
func (s *scheduler) SetAlarmHook(ctx context.Context, procedure string) error {
	return s.send(ctx, s.db, call{proc: "SetAlarmHook"}.setIf(procedure != "", "Procedure", procedure))
}

// SetPolicy changes which process is served first.
func (s *scheduler) SetPolicy(ctx context.Context, p dialects.Policy) error {
	return s.send(ctx, s.db, call{proc: "SetPolicy"}.set("Policy", string(p)))
}

// Exec enqueues the tasks in one transaction: all of them, or none.
func (s *scheduler) Exec(ctx context.Context, tasks []dialects.NewTask) ([]int64, error) {
	ids := make([]int64, len(tasks))
	if s.dryRun != nil || len(tasks) == 1 {
		for i, t := range tasks {
			var id sql.NullInt64
			if err := s.send(ctx, s.db, execCall(t, &id)); err != nil {
				return nil, err
			}
			ids[i] = id.Int64
		}
		return ids, nil
	}
	err := s.inTransaction(ctx, func(tx *sql.Tx) (err error) {
		ids, err = s.enqueue(ctx, tx, 0, tasks)
		return err
	})
	return ids, err
}

// inTransaction commits all that f does, or nothing. The end of ctx does not interrupt a
// commit in progress: its outcome would be unknown.
func (s *scheduler) inTransaction(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return s.failed("BEGIN TRANSACTION", err)
	}
	if err := f(tx); err != nil {
		return errors.Join(err, s.failed("ROLLBACK", tx.Rollback()))
	}
	return s.failed("COMMIT", tx.Commit())
}

func execCall(t dialects.NewTask, id *sql.NullInt64) call {
	c := call{proc: "ExecAsync", out: []outArg{{"TaskId", id}}}
	return c.set("SQL", t.SQL).set("ExecutionOrder", int64(t.Order)).
		setIf(t.ProcessID != 0, "ProcessId", t.ProcessID).
		setIf(t.Priority != 0, "Priority", int64(t.Priority)).
		setIf(t.MaxAttempts != 0, "MaxAttempts", int64(t.MaxAttempts)).
		setIf(t.RetryDelay != 0, "RetryDelaySeconds", seconds(t.RetryDelay)).
		setIf(!t.NotBefore.IsZero(), "NotBefore", instant(t.NotBefore)).
		setIf(t.ExpectedSeconds != 0, "ExpectedSeconds", int64(t.ExpectedSeconds)).
		setIf(t.Timeout != 0, "TimeoutSeconds", seconds(t.Timeout)).
		setIf(t.OnOrphan != "", "OnOrphan", t.OnOrphan).
		setIf(t.Resource != "", "Resource", t.Resource).
		setIf(t.Access != "", "Access", t.Access).
		setIf(t.Transactional, "Transactional", true).
		setIf(t.DedupKey != "", "DedupKey", t.DedupKey).
		setIf(t.Parameters != "", "Parameters", t.Parameters)
}

// CreateProcess creates a process and returns its id.
func (s *scheduler) CreateProcess(ctx context.Context, p dialects.NewProcess) (int64, error) {
	var id sql.NullInt64
	err := s.send(ctx, s.db, createCall(p, &id))
	return id.Int64, err
}

func createCall(p dialects.NewProcess, id *sql.NullInt64) call {
	c := call{proc: "CreateProcess", out: []outArg{{"ProcessId", id}}}
	return c.set("Name", p.Name).
		setIf(p.Priority != 0, "Priority", int64(p.Priority)).
		setIf(p.Weight != 0, "Weight", int64(p.Weight)).
		setIf(p.MaxParallel != 0, "MaxParallel", int64(p.MaxParallel)).
		setIf(p.OnError != "", "OnError", p.OnError)
}

// CloseProcess lets a process end when its tasks have ended.
func (s *scheduler) CloseProcess(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, processCall("CloseProcess", id))
}

// CancelTask cancels a task.
func (s *scheduler) CancelTask(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, taskCall("CancelTask", id))
}

// CancelProcess cancels a process.
func (s *scheduler) CancelProcess(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, processCall("CancelProcess", id))
}

// RetryTask runs a task again.
func (s *scheduler) RetryTask(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, taskCall("RetryTask", id))
}

// RetryProcess resumes a process where it failed.
func (s *scheduler) RetryProcess(ctx context.Context, id int64) error {
	return s.send(ctx, s.db, processCall("RetryProcess", id))
}

func processCall(proc string, id any) call { return call{proc: proc}.set("ProcessId", id) }

func taskCall(proc string, id int64) call { return call{proc: proc}.set("TaskId", id) }

// WaitProcess waits on the server; its procedure returns 2 when the time is up.
func (s *scheduler) WaitProcess(ctx context.Context, id int64, timeout time.Duration) (bool, error) {
	var result sql.NullInt64
	c := call{proc: "WaitProcess", result: &result}
	err := s.send(ctx, s.db, c.set("ProcessId", id).set("TimeoutSeconds", seconds(timeout)))
	return result.Int64 != 2, err
}

func (s *scheduler) processQuery() string {
	return "SELECT TOP (1) CAST(v.ProcessId AS bigint)\nFROM " + s.object("ProcessInfo") +
		" AS v\nWHERE v.ProcessId = @id OR v.Name = @name\nORDER BY CASE WHEN v.ProcessId = @id THEN 0 ELSE 1 END, CASE WHEN v.FinishedAt IS NULL THEN 0 ELSE 1 END, v.ProcessId DESC;"
}

// FindProcess finds a process by id or by name: unfinished ones first, then the newest.
func (s *scheduler) FindProcess(ctx context.Context, nameOrID string) (int64, error) {
	number, _ := strconv.ParseInt(nameOrID, 10, 32) // 0 for a name; no process has that id
	var id int64
	err := s.db.QueryRowContext(ctx, s.processQuery(), sql.Named("id", number), sql.Named("name", nameOrID)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, dialects.Usagef("there is no process %q, or you are not allowed to see it. To list them, run 'dbsched processes'", nameOrID)
	}
	return id, s.failed("ProcessInfo", err)
}

// object returns the quoted name of a dbsched object.
func (s *scheduler) object(name string) string {
	return templates.QuoteIdent(s.schema) + "." + templates.QuoteIdent(name)
}

// asOwner lets a member of db_owner other than dbo do what only dbsched's owner may: the denials to public hold for that member, too. The text
// must be sent with the parameter @owner: then it runs in sp_executesql, where the context ends also after an error or an interrupt.
func (s *scheduler) asOwner(text string) string {
	return "IF IS_ROLEMEMBER(N'db_owner') = 1 AND ISNULL(USER_ID(), 0) <> 1 AND DATABASE_PRINCIPAL_ID(@owner) IS NOT NULL\n    EXECUTE AS USER = " +
		templates.QuoteString(s.owner()) + ";\n" + text + "\nIF USER_NAME() = @owner\n    REVERT;"
}

func stopCall(mode dialects.StopMode) call {
	return call{proc: "StopScheduler"}.set("Mode", string(mode))
}
