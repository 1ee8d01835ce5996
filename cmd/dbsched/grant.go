package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type grantOptions struct {
	cli.NoFlags
	user  string
	Admin bool
}

func grantCommand(app *cli.App) *cobra.Command {
	var o grantOptions
	cmd := &cobra.Command{
		Use:   "grant USER",
		Short: "Let a user of the database enqueue tasks and see his own; Oracle with a runner",
		Long: `Gives a user of an Oracle database the right to enqueue tasks, to see, cancel and retry
his own, and nothing of what is others'. His tasks run as the runner, a user of few rights
that is named when dbsched is installed (dbsched install --runner-dsn); without one they
would run with all rights of dbsched's owner, so that this is refused. With --admin the user
may do everything: start, stop, set, see and cancel what is everybody's; without it he is no
administrator, nor any more. On SQL Server there are roles for all of this.`,
		Args: cobra.ExactArgs(1),
	}
	app.Writes(cmd)
	cmd.Flags().BoolVar(&o.Admin, "admin", false, "make the user an administrator of dbsched as well")
	return app.Bind(cmd, func(args []string) cli.Options {
		o.user = args[0]
		return &o
	})
}

// Run grants.
func (o *grantOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := db.Grant(ctx, o.user, o.Admin); err != nil {
			return err
		}
		what := "may enqueue tasks"
		if o.Admin {
			what = "is an administrator"
		}
		s.Done("%s %s: %s, schema %s", o.user, what, db.Target(), db.Schema())
		return nil
	})
}

type revokeOptions struct {
	cli.NoFlags
	user string
}

func revokeCommand(app *cli.App) *cobra.Command {
	var o revokeOptions
	cmd := &cobra.Command{
		Use:   "revoke USER",
		Short: "Take back what grant gave; his tasks that wait stay, and run",
		Args:  cobra.ExactArgs(1),
	}
	app.Writes(cmd)
	return app.Bind(cmd, func(args []string) cli.Options {
		o.user = args[0]
		return &o
	})
}

// Run revokes.
func (o *revokeOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := db.Revoke(ctx, o.user); err != nil {
			return err
		}
		s.Done("%s may not use dbsched any more: %s, schema %s", o.user, db.Target(), db.Schema())
		return nil
	})
}
