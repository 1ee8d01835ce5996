package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type taskOptions struct {
	ID string
	id int64
}

// taskDetail is a task with all its attempts.
type taskDetail struct {
	dialects.Task
	Attempts []dialects.LogEntry `json:"attempts"`
}

func taskCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.CompletesArguments(app.Connects(&cobra.Command{
		Use:   "task ID",
		Short: "Show one task: options, SQL, attempts, errors",
		Long: `Shows the options and the whole SQL of a task, and each attempt with lane, session,
duration, and error with procedure and line.`,
		Example: "  dbsched task 4711",
		Args:    cobra.ExactArgs(1),
	}), first(taskNames())), func(args []string) cli.Options { return &taskOptions{ID: args[0]} })
}

// Validate checks the number.
func (o *taskOptions) Validate() (err error) {
	if o.id, err = strconv.ParseInt(o.ID, 10, 64); err != nil || o.id < 1 {
		return dialects.Usagef("%q is not the number of a task", o.ID)
	}
	return nil
}

// Run shows the task.
func (o *taskOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		t, err := readTask(ctx, db, o.id)
		if err != nil {
			return err
		}
		return t.print(s)
	})
}

// readTask reads a task and its attempts.
func readTask(ctx context.Context, db dialects.Scheduler, id int64) (t taskDetail, err error) {
	tasks, err := db.Tasks(ctx, dialects.Filter{TaskID: id})
	if err != nil {
		return t, err
	}
	if len(tasks) == 0 {
		return t, dialects.Usagef("there is no task %d, or you are not allowed to see it. To list them, run 'dbsched tasks'", id)
	}
	t.Task = tasks[0]
	t.Attempts, err = db.Logs(ctx, dialects.Filter{TaskID: id})
	return t, err
}

// print shows the task.
func (t taskDetail) print(s *cli.Session) error {
	if s.JSON() {
		return s.One("task", t, nil)
	}
	s.Print(t.text(s))
	return nil
}

// text formats the task for people.
func (t taskDetail) text(s *cli.Session) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-13s %s\n", name, value)
		}
	}
	line("task", strconv.FormatInt(t.ID, 10))
	line("process", strconv.FormatInt(t.ProcessID, 10))
	line("order", strconv.Itoa(t.Order))
	line("status", state(t.Task))
	line("by", t.EnqueuedBy)
	line("enqueued", s.Time(t.EnqueuedAt))
	line("due", s.TimeOrNone(t.DueAt))
	line("started", s.TimeOrNone(t.StartedAt))
	line("ended", s.TimeOrNone(t.FinishedAt))
	line("took", took(t.StartedAt, t.FinishedAt))
	for _, o := range t.Options() {
		line(o[0], o[1])
	}
	for _, e := range t.Attempts {
		fmt.Fprintf(&b, "\nattempt %d: %s, lane %d, session %d, %s", e.Attempt, e.State()+format.Overran(e.Overran), e.Lane, e.SessionID, s.Time(e.StartedAt))
		if d := took(&e.StartedAt, e.FinishedAt); d != "" {
			b.WriteString(", took " + d)
		}
		if e.ErrorNumber != 0 || e.ErrorMessage != "" {
			where := ""
			if e.ErrorUnit != "" {
				where += " in " + e.ErrorUnit
			}
			if e.ErrorLine != 0 {
				where += fmt.Sprintf(" line %d", e.ErrorLine)
			}
			fmt.Fprintf(&b, "\n    error %d%s: %s", e.ErrorNumber, where, strings.ReplaceAll(strings.TrimSpace(e.ErrorMessage), "\n", "\n    "))
		}
		b.WriteString("\n")
	}
	return b.String() + "\n" + strings.TrimRight(t.SQL, "\n")
}
