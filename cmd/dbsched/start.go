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
		Short: "Start the scheduler",
		Long: `Starts the scheduler, so that tasks run. Does no harm if it is already started. It also
repairs a lost timer and disabled queues (SQL Server) or a missing dispatcher (Oracle).

In a copy of the database, such as a restored backup or a clone, start refuses (exit
code 4): the copy would run the same tasks a second time. --here starts the scheduler
there, and the database is no longer treated as a copy.`,
		Annotations: map[string]string{"see": "[restore and clones](operations.md#restore-and-clones)"},
	})
	cmd.Flags().BoolVar(&o.Here, "here", false, "start in a copy of the database")
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
