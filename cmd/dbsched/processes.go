package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type processesOptions struct{ listOptions }

func processesCommand(app *cli.App) *cobra.Command {
	var o processesOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "processes",
		Short: "List processes",
		Long:  `Lists the processes that you can see, the newest last.`,
	})
	o.bind(app, cmd, "processes", dialects.ProcessStatuses()...)
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run lists.
func (o *processesOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	type P = dialects.Process
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	return filtered(ctx, s, &o.listOptions, "processes", dialects.Scheduler.Processes, []cli.Column[P]{
		{Title: "Id", Right: true, Cell: func(p P) string { return count(p.ID) }},
		{Title: "Name", Cut: true, Cell: func(p P) string { return p.Name }},
		{Title: "Status", Cell: func(p P) string { return p.Status }},
		{Title: "Priority", Spare: 4, Right: true, Cell: func(p P) string { return strconv.Itoa(p.Priority) }},
		{Title: "Unfinished", Right: true, Cell: func(p P) string { return count(p.Unfinished) }},
		{Title: "Running", Spare: 3, Right: true, Cell: func(p P) string { return count(p.Running) }},
		{Title: "Succeeded", Spare: 1, Right: true, Cell: func(p P) string { return count(p.Succeeded) }},
		{Title: "Failed", Right: true, Cell: func(p P) string { return count(p.Failed) }},
		{Title: "By", Spare: 5, Cell: func(p P) string { return p.CreatedBy }},
		{Title: "Created", Cell: func(p P) string { return s.Time(p.CreatedAt) }},
		{Title: "Took", Spare: 2, Right: true, Cell: func(p P) string { return took(&p.CreatedAt, p.FinishedAt) }},
	})
}
