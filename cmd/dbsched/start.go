package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type startOptions struct {
	cli.NoFlags
	Here bool
}

func startCommand(app *cli.App) *cobra.Command {
	var o startOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "start",
		Short: "Let workers run; does nothing when they may already",
		Long: `Start lets workers run. In a copy of the database in which the scheduler was started, such as a
restored backup, an attached file or a clone, it refuses: the copy would run the same tasks a second time.
With --here it starts there, and from then on that database is not a copy.`,
	})
	cmd.Flags().BoolVar(&o.Here, "here", false, "start even in a copy of the database")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run starts the scheduler.
func (o *startOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		start := db.Start
		if o.Here {
			start = db.StartHere
		}
		if err := start(ctx); err != nil {
			return err
		}
		s.Done("started: %s, schema %s", db.Target(), db.Schema())
		return nil
	})
}
