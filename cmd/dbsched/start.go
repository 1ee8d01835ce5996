package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type startOptions struct {
	cli.NoFlags
	Here, Moved bool
	AlsoOn      []string
	named       func() bool // --also-on was given, perhaps with ""
}

func startCommand(app *cli.App) *cobra.Command {
	var o startOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "start",
		Short: "Start the scheduler",
		Long: `Starts the scheduler, so that tasks run. Does no harm if it is already started. It also
repairs a lost timer and disabled queues (SQL Server) or a missing dispatcher (Oracle).

In a copy of the database, such as a restored backup or a clone, start refuses (exit
code 4): the copy would run the same tasks a second time. A database that has moved to
another server, or has another name, is taken for a copy, too. --moved starts it where it
is now, with its schedules as they are. --here starts a copy while the original goes on,
and suspends the schedules of the copy until you enable them.

Before a move, --also-on names the servers (on Oracle, the container databases) on which
this database goes on without a new start, under the name that it has. The names replace
earlier ones; --also-on "" removes all. Each move raises an alarm. A second copy of the
database on such a server cannot be told apart, and would run the same tasks.`,
		Example:     "  dbsched start\n  dbsched start --also-on SRV2 --also-on SRV3",
		Annotations: map[string]string{"see": "[failover and moves](operations.md#failover-and-moves)"},
	})
	flags := cmd.Flags()
	flags.BoolVar(&o.Here, "here", false, "start in a copy of the database, too")
	flags.BoolVar(&o.Moved, "moved", false, "start where the database has moved")
	flags.StringArrayVar(&o.AlsoOn, "also-on", nil, "server or container database to which it may move; repeatable")
	o.named = func() bool { return flags.Changed("also-on") }
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate refuses what contradicts itself.
func (o *startOptions) Validate() error {
	if o.Here && o.Moved {
		return dialects.Usagef("use --moved if the original is here now, --here if it is elsewhere and continues")
	}
	o.AlsoOn = slices.DeleteFunc(o.AlsoOn, func(name string) bool { return name == "" })
	return nil
}

// Run starts the scheduler.
func (o *startOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		start := db.Start
		switch {
		case o.Here:
			start = db.StartHere
		case o.Moved:
			start = db.StartMoved
		}
		if err := start(ctx); err != nil {
			return err
		}
		if o.named() {
			if err := db.StartAlsoOn(ctx, o.AlsoOn); err != nil {
				return err
			}
		}
		s.Done("started: %s, schema %s", db.Target(), db.Schema())
		return nil
	})
}
