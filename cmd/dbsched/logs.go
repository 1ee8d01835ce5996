package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type logsOptions struct{ listOptions }

func logsCommand(app *cli.App) *cobra.Command {
	var o logsOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "logs",
		Short: "List attempts",
		Long: `Lists attempts: one line for each run of a task, with lane, session, start, duration and
error.`,
		Example: `  dbsched logs --since 12h --status Failed,TimedOut
  dbsched logs --process "nightly load" --text deadlock`,
	})
	o.bind(app, cmd, "attempts", append([]string{"Running"}, dialects.Outcomes()...)...)
	o.bindText(cmd, "the name, SQL or error")
	cmd.Flags().StringVar(&o.Task, "task", "", "only this task, by id or name")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run lists.
func (o *logsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	type E = dialects.LogEntry
	return filtered(ctx, s, &o.listOptions, "logs", dialects.Scheduler.Logs, []cli.Column[E]{
		{Title: "Id", Right: true, Cell: func(e E) string { return strconv.FormatInt(e.ID, 10) }},
		{Title: "Task", Right: true, Cell: func(e E) string { return strconv.FormatInt(e.TaskID, 10) }},
		{Title: "Process", Spare: 3, Right: true, Cell: func(e E) string { return strconv.FormatInt(e.ProcessID, 10) }},
		{Title: "Order", Right: true, Cell: func(e E) string { return strconv.Itoa(e.Order) }},
		{Title: "Attempt", Spare: 4, Right: true, Cell: func(e E) string { return strconv.Itoa(e.Attempt) }},
		{Title: "Lane", Spare: 5, Right: true, Cell: func(e E) string { return number(int64(e.Lane)) }},
		{Title: "Session", Spare: 6, Right: true, Cell: func(e E) string { return number(int64(e.SessionID)) }},
		{Title: "Started", Cell: func(e E) string { return s.Time(e.StartedAt) }},
		{Title: "Took", Spare: 1, Right: true, Cell: func(e E) string { return took(&e.StartedAt, e.FinishedAt) }},
		{Title: "Outcome", Cell: func(e E) string { return e.State() + format.Overran(e.Overran) }},
		{Title: "Name", Sparse: true, Cut: true, Cell: func(e E) string { return e.Name }},
		{Title: "SQL", Cut: true, Spare: 2, Cell: func(e E) string { return cli.SQL(e.SQL) }},
		{Title: "Error", Cut: true, Cell: taskError},
	})
}

var callers = regexp.MustCompile(`(?m)^ORA-06512: .*\n?`)

// taskOf names the task of an attempt.
func taskOf(e dialects.LogEntry) string {
	text := "task " + strconv.FormatInt(e.TaskID, 10)
	if e.Name != "" {
		text += " " + strconv.Quote(e.Name)
	}
	return text
}

// taskError formats the error of a failed attempt on one line.
func taskError(e dialects.LogEntry) string {
	if e.ErrorNumber == 0 && e.ErrorMessage == "" {
		return ""
	}
	text, message := strconv.Itoa(e.ErrorNumber), e.ErrorMessage
	if strings.HasPrefix(message, "ORA-") { // the stack begins with the number, and continues with where it was raised
		text, message = message[:9], callers.ReplaceAllString(message[9:], "")
		message = strings.TrimSpace(strings.TrimPrefix(message, ":"))
	}
	if e.ErrorUnit != "" {
		text += " in " + e.ErrorUnit
	}
	if e.ErrorLine != 0 {
		text += fmt.Sprintf(" line %d", e.ErrorLine)
	}
	return text + ": " + message
}
