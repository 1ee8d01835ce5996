package main

import (
	"context"
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
		Short: "Print the whole installation as a script; needs no database",
	})
	f := cmd.Flags()
	f.StringVar(&o.Dialect, "dialect", app.Dialects.Names()[0], "database engine")
	f.IntVar(&o.Lanes, "lanes", dialects.DefaultLanes, "worker slots to create")
	f.BoolVar(&o.Grants, "grants", false, "print what an administrator runs before, so that somebody else can install")
	f.BoolVar(&o.KillScript, "kill-script", false, "print what a sysadmin runs, so that dbsched may end the sessions of running tasks")
	f.StringVar(&o.Runner, "runner", "", "Oracle: user as whom tasks are to run, so that others can be let enqueue them")
	f.BoolVar(&o.AsRunner, "as-runner", false, "print what the runner runs after the owner has run the installation")
	f.BoolVar(&o.Trust, "trust", false, "SQL Server: print what the owners of databases run, so that tasks of --users reach the databases --to with the rights of their logins")
	f.StringSliceVar(&o.Users, "users", nil, "users of the database of dbsched, separated by commas")
	f.StringSliceVar(&o.To, "to", nil, "the other databases, separated by commas")
	f.BoolVar(&o.Revoke, "revoke", false, "with --trust: print what takes it back, from all users")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the number of lanes, and that one thing is asked for.
func (o *renderOptions) Validate() error {
	if o.Lanes < 1 || o.Lanes > dialects.MaxLanes {
		return dialects.Usagef("--lanes is %d; it must be between 1 and %d", o.Lanes, dialects.MaxLanes)
	}
	if o.Grants && o.KillScript || o.Trust && (o.Grants || o.KillScript) {
		return dialects.Usagef("--grants, --kill-script and --trust are scripts of their own; ask for one")
	}
	if o.AsRunner && (o.Grants || o.KillScript || o.Trust || o.Runner == "") {
		return dialects.Usagef("--as-runner goes with --runner NAME, and with none of --grants, --kill-script and --trust")
	}
	switch {
	case !o.Trust && (len(o.Users) > 0 || len(o.To) > 0 || o.Revoke):
		return dialects.Usagef("--users, --to and --revoke go with --trust")
	case o.Trust && len(o.To) == 0:
		return dialects.Usagef("name the other databases: --to NAME,NAME")
	case o.Trust && !o.Revoke && len(o.Users) == 0:
		return dialects.Usagef("name the users whose tasks may leave the database: --users NAME,NAME")
	case o.Revoke && len(o.Users) > 0:
		return dialects.Usagef("--revoke takes it back from all users; to keep some of them render --trust with those, and run it")
	}
	return nil
}

// Run prints the script that was asked for.
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
