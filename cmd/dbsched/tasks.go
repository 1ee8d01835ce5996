package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type tasksOptions struct{ listOptions }

func tasksCommand(app *cli.App) *cobra.Command {
	var o tasksOptions
	cmd := app.Connects(&cobra.Command{
		Use:         "tasks",
		Short:       "List tasks",
		Long:        `Lists the tasks that you can see. 'dbsched task' shows one in full.`,
		Annotations: map[string]string{"see": "[life of a task](concepts.md#life-of-a-task)"},
	})
	o.bind(app, cmd, "tasks", dialects.TaskStatuses()...)
	o.bindText(cmd, "the name or SQL")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run lists.
func (o *tasksOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	type T = dialects.Task
	return filtered(ctx, s, &o.listOptions, "tasks", dialects.Scheduler.Tasks, []cli.Column[T]{
		{Title: "Id", Right: true, Cell: func(t T) string { return strconv.FormatInt(t.ID, 10) }},
		{Title: "Process", Spare: 2, Right: true, Cell: func(t T) string { return strconv.FormatInt(t.ProcessID, 10) }},
		{Title: "Order", Right: true, Cell: func(t T) string { return strconv.Itoa(t.Order) }},
		{Title: "Status", Cell: state},
		{Title: "Attempt", Spare: 3, Right: true, Cell: func(t T) string { return strconv.Itoa(t.Attempt) }},
		{Title: "By", Spare: 4, Cell: func(t T) string { return t.EnqueuedBy }},
		{Title: "Enqueued", Cell: func(t T) string { return s.Time(t.EnqueuedAt) }},
		{Title: "Started", Spare: 5, Cell: func(t T) string { return s.TimeOrNone(t.StartedAt) }},
		{Title: "Took", Spare: 1, Right: true, Cell: func(t T) string { return took(t.StartedAt, t.FinishedAt) }},
		{Title: "Name", Sparse: true, Cut: true, Cell: func(t T) string { return t.Name }},
		{Title: "SQL", Cut: true, Cell: func(t T) string { return cli.SQL(dialects.TaskText(t.ProcessID, t.SQL)) }},
	})
}

// state is a task's status, why it waits, and whether it overran its timeout.
func state(t dialects.Task) string {
	text := t.Status
	if t.Reason != "" {
		text += " (" + t.Reason + ")"
	}
	return text + format.Overran(t.Overran)
}
