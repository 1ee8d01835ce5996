package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type renderOptions struct {
	Dialect    string
	Lanes      int
	Grants     bool
	KillScript bool
	Runner     string
	AsRunner   bool
	Trust      bool
	Users      []string
	To         []string
	Revoke     bool
}

func renderCommand(app *cli.App) *cobra.Command {
	var o renderOptions
	cmd := app.HasSchema(&cobra.Command{
		Use:   "render",
		Short: "Print the installation as a SQL script; needs no database",
		Long: `Prints the complete installation as one script for sqlcmd -b, or for SQL*Plus and SQLcl.
For Oracle, --schema names the owner.

Before you upgrade an installation with the script, stop the scheduler and wait for its
workers to end: run StopScheduler until SchedulerInfo shows 0 Workers, or on Oracle
stop_scheduler until DS_SCHEDULER_INFO shows 0 WORKERS and no DISPATCHER_SESSION.

In --users and --to, put a name that contains a comma in double quotation marks.`,
		Example: `  dbsched render > install.sql
  dbsched render --dialect oracle --schema app --grants
  dbsched render --trust --users etl --to Staging,Archive`,
		Annotations: map[string]string{"see": "[reading the SQL](reading.md), [privileges](privileges.md)"},
	})
	f := cmd.Flags()
	f.StringVar(&o.Dialect, "dialect", app.Dialects.Names()[0], "database engine")
	f.IntVar(&o.Lanes, "lanes", dialects.DefaultLanes, fmt.Sprintf("worker slots, 1 to %d", dialects.MaxLanes))
	f.BoolVar(&o.Grants, "grants", false, "print the script that an administrator runs first, so that another user can install")
	f.BoolVar(&o.KillScript, "kill-script", false, "print the script with which a sysadmin lets dbsched end the sessions of running tasks")
	f.StringVar(&o.Runner, "runner", "", "Oracle: name of the runner, the user that runs other users' tasks; with --grants, include its grants")
	f.BoolVar(&o.AsRunner, "as-runner", false, "Oracle: print the script that the runner executes after the owner's installation")
	f.BoolVar(&o.Trust, "trust", false, "SQL Server: print the script that lets tasks of --users work in the databases of --to")
	namesVar(f, &o.Users, "users", "with --trust: users of dbsched's database, separated by commas")
	namesVar(f, &o.To, "to", "with --trust: the other databases, separated by commas")
	f.BoolVar(&o.Revoke, "revoke", false, "with --trust: print the script that removes the access of all users")
	app.Completes(cmd, "dialect", app.Dialects.Names()...)
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the number of lanes, and that one thing is requested.
func (o *renderOptions) Validate() error {
	if o.Lanes < 1 || o.Lanes > dialects.MaxLanes {
		return dialects.Usagef("--lanes is %d; it must be between 1 and %d", o.Lanes, dialects.MaxLanes)
	}
	if o.Grants && o.KillScript || o.Trust && (o.Grants || o.KillScript) {
		return dialects.Usagef("choose one of --grants, --kill-script and --trust")
	}
	if o.AsRunner && (o.Grants || o.KillScript || o.Trust || o.Runner == "") {
		return dialects.Usagef("--as-runner needs --runner NAME, and excludes --grants, --kill-script and --trust")
	}
	switch {
	case !o.Trust && (len(o.Users) > 0 || len(o.To) > 0 || o.Revoke):
		return dialects.Usagef("--users, --to and --revoke need --trust")
	case o.Trust && len(o.To) == 0:
		return dialects.Usagef("name the other databases: --to NAME,NAME")
	case o.Trust && !o.Revoke && len(o.Users) == 0:
		return dialects.Usagef("name the users whose tasks may leave the database: --users NAME,NAME")
	case o.Revoke && len(o.Users) > 0:
		return dialects.Usagef("--revoke removes the access of all users. To keep some, run the script of --trust with those users")
	}
	return nil
}

// Run prints the requested script.
func (o *renderOptions) Run(_ context.Context, s *cli.Session) (bool, error) {
	d, err := s.Dialect(o.Dialect)
	if err != nil {
		return false, err
	}
	write := d.Render
	switch {
	case o.Grants:
		write = d.RenderGrants
	case o.KillScript:
		write = d.RenderKillScript
	case o.AsRunner:
		write = d.RenderRunner
	}
	if o.Trust {
		write = func(w io.Writer, l dialects.Layout) error {
			return d.RenderTrust(w, l, dialects.Trust{Users: o.Users, Targets: o.To, Revoke: o.Revoke})
		}
	}
	if err := write(s.Out(), dialects.Layout{Schema: s.Schema(d), Lanes: o.Lanes, Runner: o.Runner}); err != nil {
		return false, err
	}
	return true, nil
}
