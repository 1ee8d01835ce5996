package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/watch"
)

type watchOptions struct{ cli.NoFlags }

func watchCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.Connects(&cobra.Command{
		Use:   "watch",
		Short: "Watch processes and lanes in the terminal",
		Long: `Shows processes with their progress, what runs on each lane, failures and alarms. The view
is read again every second, less often from a slow database. Keys pause the scheduler, set
the number of workers, cancel and retry, after asking. Press ? for the keys, q to quit;
tasks continue.`,
		Example: "  dbsched watch --target prod",
	}), func([]string) cli.Options { return &watchOptions{} })
}

// Run shows the view.
func (o *watchOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if !s.Interactive() {
		return false, dialects.Usagef("watch needs a terminal. Use 'dbsched status' or 'dbsched console'")
	}
	return s.Do(ctx, func(db dialects.Scheduler) error { return watch.Run(ctx, db, s.In(), s.Out(), s.Location()) })
}
