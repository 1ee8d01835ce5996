package main

import (
	"context"
	"fmt"

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
		Short: "Oracle: let a user enqueue and manage tasks",
		Long: `Lets a user of an Oracle database enqueue tasks, and see, cancel and retry them. The
tasks run as the runner, a user with few rights that you name when you install ('dbsched
install --runner-dsn'). Without a runner, tasks would run with all rights of dbsched's
owner, so grant refuses (ORA-20066).

Without --admin, administrator rights are removed. A name that needs quotes keeps them:
dbsched grant '"Anna"'. The command waits up to a minute for sessions that use the
package, and names those that are in the way.

On SQL Server there are roles: grant prints the statement to run, and the exit code is 2.`,
		Annotations: map[string]string{"see": "[privileges](privileges.md#a-runner)"},
		Args:        cobra.ExactArgs(1),
	}
	app.Writes(cmd)
	cmd.Flags().BoolVar(&o.Admin, "admin", false, "make the user an administrator with all rights on dbsched")
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
		what := "can enqueue tasks"
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
		Short: "Oracle: remove a user's access",
		Long: `Removes a user's access to an Oracle database's dbsched. The user's schedules are suspended,
and the user's rounds start no tasks; 'dbsched schedule alter' and 'dbsched round define'
let another user take one over. Tasks already queued still run: cancel those that should
not. Revoke before you drop a user; afterwards, revoke removes the administrator rights
that are left under the name.

On SQL Server there are roles: revoke prints the statement to run, and the exit code is 2.`,
		Annotations: map[string]string{"see": "[privileges](privileges.md#a-runner)"},
		Args:        cobra.ExactArgs(1),
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
		left, err := db.Revoke(ctx, o.user)
		if err != nil {
			return err
		}
		what := ""
		if left.Schedules > 0 || left.Rounds > 0 {
			what = fmt.Sprintf("; schedules suspended: %d, rounds that start no task any more: %d", left.Schedules, left.Rounds)
		}
		s.Done("%s no longer has access%s: %s, schema %s", o.user, what, db.Target(), db.Schema())
		return nil
	})
}
