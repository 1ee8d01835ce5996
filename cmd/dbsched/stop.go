package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type stopOptions struct {
	cli.NoFlags
	Now bool
}

func stopCommand(app *cli.App) *cobra.Command {
	var o stopOptions
	cmd := app.Destroys(&cobra.Command{
		Use:   "stop",
		Short: "Stop the scheduler; running tasks finish",
		Long: `After stop returns, no further task starts. Running tasks finish. You can still enqueue
tasks; they run after the next start.`,
	})
	cmd.Flags().BoolVar(&o.Now, "now", false, "cancel running tasks; asks first")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run stops the scheduler. It asks before it cancels tasks.
func (o *stopOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		mode := dialects.StopDrain
		if o.Now {
			mode = dialects.StopNow
			if err := s.Confirm(ctx, "Cancel all running tasks on "+db.Target()+"?"); err != nil {
				return err
			}
		}
		if err := db.Stop(ctx, mode); err != nil {
			return err
		}
		rest := ""
		if st, err := db.Status(ctx); err == nil && st.Running > 0 && !s.DryRun() {
			rest = "; still running: " + format.Plural(st.Running, "task")
			if o.Now {
				warnIfNotEnded(ctx, s, db)
			}
		}
		s.Done("stopped: %s, schema %s%s", db.Target(), db.Schema(), rest)
		return nil
	})
}
