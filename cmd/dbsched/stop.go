package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type stopOptions struct {
	cli.NoFlags
	Now bool
}

func stopCommand(app *cli.App) *cobra.Command {
	var o stopOptions
	cmd := app.Destroys(&cobra.Command{
		Use:   "stop",
		Short: "Start no more tasks; running ones finish",
		Long: `Stop ends dispatching: tasks can still be enqueued, and run after the next start. Running
tasks finish by themselves. With --now they are cancelled, as by 'dbsched cancel task'.`,
	})
	cmd.Flags().BoolVar(&o.Now, "now", false, "give up running tasks: cancel them")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run stops the scheduler; what it cancels it asks for first.
func (o *stopOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		mode := dialects.StopDrain
		if o.Now {
			mode = dialects.StopNow
			if err := s.Confirm("Give up all running tasks on " + db.Target() + "?"); err != nil {
				return err
			}
		}
		if err := db.Stop(ctx, mode); err != nil {
			return err
		}
		s.Done("stopped (%s): %s, schema %s", mode, db.Target(), db.Schema())
		return nil
	})
}
