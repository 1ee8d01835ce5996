package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type startOptions struct{ cli.NoFlags }

func startCommand(app *cli.App) *cobra.Command {
	cmd := app.Writes(&cobra.Command{
		Use:   "start",
		Short: "Let workers run; does nothing when they may already",
	})
	return app.Bind(cmd, func([]string) cli.Options { return &startOptions{} })
}

// Run starts the scheduler.
func (o *startOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := db.Start(ctx); err != nil {
			return err
		}
		s.Done("started: %s, schema %s", db.Target(), db.Schema())
		return nil
	})
}
