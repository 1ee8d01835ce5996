package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type workersOptions struct {
	Set string // empty: list the lanes
	n   int
}

func workersCommand(app *cli.App) *cobra.Command {
	cmd := app.Writes(&cobra.Command{
		Use:   "workers [N]",
		Short: "List the worker lanes, or set how many tasks can run at once",
		Long: `Without a number, lists the lanes. With a number, sets how many tasks can run at once; 0
pauses the scheduler. The change takes effect at once: more workers start, surplus
workers end after their task. The maximum is the number of lanes ('dbsched install --lanes').

Lane states:
  Idle      has no task; a session is shown while it waits for one (Oracle: always)
  Off       Oracle: has no session
  Starting  Oracle: its job is starting
  Assigned  its wake-up is on the way
  Busy      runs the task shown`,
		Example: `  dbsched workers
  dbsched workers 8`,
		Annotations: map[string]string{"see": "[concepts](concepts.md)"},
		Args:        cobra.MaximumNArgs(1),
	})
	return app.Bind(cmd, func(args []string) cli.Options {
		o := &workersOptions{}
		if len(args) == 1 {
			o.Set = args[0]
			if o.Set == "" {
				o.Set = " " // neither a number nor "list"
			}
		}
		return o
	})
}

// Validate parses the number.
func (o *workersOptions) Validate() error {
	if o.Set == "" {
		return nil
	}
	n, err := strconv.Atoi(o.Set)
	if err != nil || n < 0 {
		return dialects.Usagef("%q is not a number of workers; it must be 0 or more", o.Set)
	}
	o.n = n
	return nil
}

// Run lists or sets.
func (o *workersOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if o.Set != "" {
		return s.Order(ctx, "", func(db dialects.Scheduler) error { return db.SetWorkers(ctx, o.n) }, "at most %s now", format.Plural(o.n, "worker"))
	}
	type L = dialects.Lane
	return list(ctx, s, "lanes", dialects.Scheduler.Lanes, []cli.Column[L]{
		{Title: "Lane", Right: true, Cell: func(l L) string { return strconv.Itoa(l.Lane) }},
		{Title: "State", Cell: func(l L) string { return l.State }},
		{Title: "Session", Right: true, Cell: func(l L) string { return number(int64(l.SessionID)) }},
		{Title: "Task", Right: true, Cell: func(l L) string { return number(l.TaskID) }},
	})
}

// number formats n, or nothing for 0, which means none.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
