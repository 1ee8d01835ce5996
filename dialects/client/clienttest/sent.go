// Package clienttest shows what a client sends.
package clienttest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"slices"
	"time"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
)

// Sent returns each statement that the operations of a client send, once, with few arguments and with many.
func Sent(ctx context.Context, engine client.Engine) []string {
	var r recorder
	c := &client.Client{DB: sql.OpenDB(&r), Engine: engine}
	defer c.DB.Close()
	// The errors do not matter: nothing answers.
	task, many := dialects.NewTask{SQL: "s", Order: 1}, dialects.NewTask{
		SQL: "s", Order: 1, ProcessID: 2, Priority: 3, MaxAttempts: 4, RetryDelay: time.Second, NotBefore: time.Unix(1, 0), ExpectedSeconds: 5, Timeout: time.Minute,
		OnOrphan: "Fail", Resource: "r", Access: "Shared", Transactional: true, DedupKey: "k", Parameters: "{}", Name: "n",
	}
	process := dialects.NewProcess{Name: "n", Priority: 1, Weight: 2, MaxParallel: 3, OnError: "Halt"}
	one := int64(1)
	now := time.Unix(1, 0)
	_ = c.Start(ctx)
	_ = c.StartHere(ctx)
	_ = c.StartMoved(ctx)
	_ = c.StartAlsoOn(ctx, []string{"a"})
	_ = c.Stop(ctx, dialects.StopDrain)
	_ = c.SetWorkers(ctx, 1)
	_ = c.SetPolicy(ctx, dialects.Fifo)
	_ = c.AcknowledgeAlarms(ctx, 0)
	_ = c.AcknowledgeAlarms(ctx, 1)
	_ = c.AcknowledgeAlarm(ctx, 1)
	_ = c.Purge(ctx, 1)
	var options dialects.Options
	for _, s := range options.Settings() {
		*s.Value = &one
	}
	_ = c.SetOptions(ctx, options)
	_ = c.SetAlarmHook(ctx, "")
	_ = c.SetAlarmHook(ctx, "p")
	_, _ = c.Exec(ctx, []dialects.NewTask{task})
	_, _ = c.Exec(ctx, []dialects.NewTask{many})
	_, _ = c.Exec(ctx, []dialects.NewTask{task, many})
	_, _ = c.CreateProcess(ctx, dialects.NewProcess{Name: "n"})
	_, _ = c.CreateProcess(ctx, process)
	_, _ = c.Submit(ctx, process, []dialects.NewTask{task})
	_, _ = c.Submit(ctx, process, []dialects.NewTask{task, many})
	_ = c.CloseProcess(ctx, 1)
	_ = c.CancelTask(ctx, 1)
	_ = c.CancelProcess(ctx, 1)
	_ = c.RetryTask(ctx, 1)
	_ = c.RetryProcess(ctx, 1)
	_, _ = c.FindProcess(ctx, "n")
	_ = c.DefineResource(ctx, "r", 1)
	_ = c.DropResource(ctx, "r")
	_ = c.ReleaseResource(ctx, 1)
	_ = c.DefineRound(ctx, dialects.NewRound{Name: "r", Members: []string{"a", "b"}, SuccessorJob: "j", SuccessorSQL: "s", Order: 2, ProcessID: 3, MaxAge: time.Hour, StartTimeout: time.Minute})
	_ = c.DefineRound(ctx, dialects.NewRound{Name: "r"})
	_, _ = c.ReportRound(ctx, "r", "a", true)
	_ = c.CreateSchedule(ctx, dialects.NewSchedule{Name: "s", Calendar: "@daily", Tasks: []dialects.NewTask{task}})
	_ = c.CreateSchedule(ctx, dialects.NewSchedule{Name: "s", Calendar: "@daily", Zone: "UTC", Begin: now, End: now, Overlap: "Skip", Missed: "Once", Disabled: true, Process: process, Tasks: []dialects.NewTask{many}})
	_ = c.AlterSchedule(ctx, dialects.NewSchedule{Name: "s", Calendar: "@daily"})
	_ = c.SetScheduleEnabled(ctx, "s", true)
	_ = c.RunSchedule(ctx, "s")
	_ = c.DropSchedule(ctx, "s")
	_, _ = c.Status(ctx)
	_, _ = c.Options(ctx)
	_, _ = c.Queue(ctx)
	_, _ = c.Lanes(ctx)
	_, _ = c.Resources(ctx)
	_, _ = c.AlarmKinds(ctx)
	_, _ = c.Rounds(ctx)
	_, _ = c.Schedules(ctx, "")
	_, _ = c.Schedules(ctx, "s")
	_, _ = c.ScheduleCounts(ctx)
	_, _ = c.Firings(ctx, "", 0)
	_, _ = c.Firings(ctx, "s", 1)
	for _, f := range []dialects.Filter{
		{}, {ProcessID: 1, Statuses: []string{"x", "y"}, Limit: 1}, {Since: now, Until: now, Text: "x"},
	} {
		_, _ = c.Processes(ctx, f)
		_, _ = c.Tasks(ctx, f)
		_, _ = c.Logs(ctx, f)
		_, _ = c.Alarms(ctx, f)
	}
	_, _ = c.Processes(ctx, dialects.Filter{Open: now})
	_, _ = c.Tasks(ctx, dialects.Filter{ProcessID: 1, Page: 2, Limit: 200})
	_, _ = c.Logs(ctx, dialects.Filter{TaskID: 1, After: 1, Also: []int64{2, 3}})
	_, _ = c.Logs(ctx, dialects.Filter{Brief: true, Besides: 1, Ended: now, Until: now, Limit: 1})
	_, _ = c.Alarms(ctx, dialects.Filter{Unacknowledged: true})
	_, _ = c.Attempts(ctx, dialects.Filter{})
	_, _ = c.Attempts(ctx, dialects.Filter{From: 1, Ended: now})
	return r.texts
}

// recorder is a database that notes what it is sent, and answers nothing.
type recorder struct{ texts []string }

func (r *recorder) note(text string) {
	if !slices.Contains(r.texts, text) {
		r.texts = append(r.texts, text)
	}
}

// Connect returns the recorder.
func (r *recorder) Connect(context.Context) (driver.Conn, error) { return connection{r}, nil }

// Driver has nothing to return.
func (r *recorder) Driver() driver.Driver { return nil }

type connection struct{ *recorder }

func (c connection) Prepare(string) (driver.Stmt, error)      { return nil, driver.ErrSkip }
func (c connection) Close() error                             { return nil }
func (c connection) Begin() (driver.Tx, error)                { return c, nil }
func (c connection) Commit() error                            { return nil }
func (c connection) Rollback() error                          { return nil }
func (c connection) CheckNamedValue(*driver.NamedValue) error { return nil }

func (c connection) ExecContext(_ context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.note(query)
	for _, a := range args {
		if out, ok := a.Value.(sql.Out); ok {
			if n, ok := out.Dest.(*sql.NullInt64); ok {
				*n = sql.NullInt64{Int64: 1, Valid: true}
			}
		}
	}
	return driver.RowsAffected(0), nil
}

func (c connection) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	c.note(query)
	return none{}, nil
}

// none is no row.
type none struct{}

func (none) Columns() []string         { return nil }
func (none) Close() error              { return nil }
func (none) Next([]driver.Value) error { return io.EOF }
