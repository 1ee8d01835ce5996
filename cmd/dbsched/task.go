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
	Task    string
	Process string
}

// taskDetail is a task with all its attempts.
type taskDetail struct {
	dialects.Task
	Attempts []dialects.LogEntry `json:"attempts"`
}

func taskCommand(app *cli.App) *cobra.Command {
	var o taskOptions
	cmd := app.CompletesArguments(app.Connects(&cobra.Command{
		Use:   "task ID|NAME",
		Short: "Show one task: options, SQL, attempts, errors",
		Long: `Shows the options and the whole SQL of a task, and each attempt with lane, session,
duration, and error with procedure and line.`,
		Example: `  dbsched task 4711
  dbsched task "Build facts" --process "nightly load"`,
		Args: cobra.ExactArgs(1),
	}), first(taskNames()))
	bindProcessOfTask(app, cmd, &o.Process)
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Task = args[0]
		return &o
	})
}

// bindProcessOfTask adds the flag that tells tasks of the same name apart.
func bindProcessOfTask(app *cli.App, cmd *cobra.Command, process *string) {
	cmd.Flags().StringVar(process, "process", "", "process of the named task, by id or name")
	app.CompletesFlag(cmd, "process", processNames())
}

// Validate checks the number.
func (o *taskOptions) Validate() error { return checkTask(o.Task) }

// checkTask refuses what is neither a number nor a name.
func checkTask(text string) error {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n < 1 || strings.TrimSpace(text) == "" {
		return dialects.Usagef("%q is not the number or name of a task", text)
	}
	return nil
}

// findTask finds a task by id, or by the name that it alone has in the process, or anywhere.
func findTask(ctx context.Context, db dialects.Scheduler, text, process string) (int64, error) {
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return id, nil
	}
	const named = 10
	f := dialects.Filter{Name: text, Limit: named}
	where := ""
	if process != "" {
		id, err := findProcess(ctx, db, process)
		if err != nil {
			return 0, err
		}
		f.ProcessID, where = id, fmt.Sprintf(" in process %d", id)
	}
	tasks, err := db.Tasks(ctx, f)
	if err != nil {
		return 0, err
	}
	ids := make([]string, len(tasks))
	for i, t := range tasks {
		ids[i] = strconv.FormatInt(t.ID, 10)
	}
	switch {
	case len(tasks) == 0:
		return 0, dialects.Usagef("there is no task %q%s, or you are not allowed to see it. To list them, run 'dbsched tasks'", text, where)
	case len(tasks) == named:
		return 0, dialects.Usagef("many tasks are named %q%s, the newest of them %s. Use an id, or --process", text, where, ids[0])
	case len(tasks) > 1:
		return 0, dialects.Usagef("%d tasks are named %q%s: %s. Use an id, or --process", len(tasks), text, where, strings.Join(ids, ", "))
	}
	return tasks[0].ID, nil
}

// Run shows the task.
func (o *taskOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		id, err := findTask(ctx, db, o.Task, o.Process)
		if err != nil {
			return err
		}
		t, err := readTask(ctx, db, id)
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
	line("name", format.Clean(t.Name))
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
