package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/certify"
	"github.com/dbsched/dbsched/internal/cli"
)

type installOptions struct {
	Lanes             int
	RunnerDSN         string
	ForceEnableBroker bool
	LockTimeout       time.Duration
	DrainTimeout      time.Duration
	Now               bool
}

func installCommand(app *cli.App) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install dbsched into a database, or upgrade it",
		Long: `Installs dbsched's schema, tables, procedures, queues and views, or upgrades an
installation. Objects that are up to date are left alone, so a second run changes
nothing. Grants survive.

Before the first change, install checks the version, edition, rights and settings, and
lists everything that is in the way.

An upgrade that changes running code stops the scheduler, waits for running tasks,
changes the objects and starts the scheduler again. Adding lanes or repairing an object
interrupts nothing. If install fails in the middle (exit code 5), the scheduler stays
stopped: run install again, then 'dbsched start'.`,
		Example: `  dbsched install --dsn "sqlserver://sa@localhost?database=Warehouse" --dry-run
  dbsched install --target prod`,
		Annotations: map[string]string{"see": "[privileges](privileges.md), [operations](operations.md)"},
	}
	app.Destroys(cmd)
	f := cmd.Flags()
	f.IntVar(&o.Lanes, "lanes", 0, fmt.Sprintf("worker slots, 1 to %d: the most workers that can run (default: as installed, or %d)", dialects.MaxLanes, dialects.DefaultLanes))
	f.StringVar(&o.RunnerDSN, "runner-dsn", "", "Oracle: DSN of the runner, the user that runs other users' tasks (default: as installed, or none)")
	cli.TakesDSN(cmd, "runner-dsn")
	f.BoolVar(&o.ForceEnableBroker, "force-enable-broker", false, "SQL Server: if Service Broker is off, disconnect all other sessions of the database to turn it on")
	f.DurationVar(&o.LockTimeout, "lock-timeout", 30*time.Second, "how long to wait for another installation of this schema")
	f.DurationVar(&o.DrainTimeout, "drain-timeout", time.Minute, "how long to wait for running tasks if the code that runs them changes; if some still run, nothing is changed")
	f.BoolVar(&o.Now, "now", false, "if the code that runs them changes, cancel running tasks instead of waiting; asks first")
	return app.Bind(cmd, func([]string) cli.Options {
		if f.Changed("lanes") && o.Lanes == 0 {
			o.Lanes = -1 // -1: not the default
		}
		return &o
	})
}

// Validate checks the number of lanes.
func (o *installOptions) Validate() error {
	if o.Lanes < 0 || o.Lanes > dialects.MaxLanes {
		return dialects.Usagef("--lanes is %d; it must be between 1 and %d", max(0, o.Lanes), dialects.MaxLanes)
	}
	if o.DrainTimeout < 0 || o.LockTimeout < 0 {
		return dialects.Usagef("--drain-timeout and --lock-timeout must not be negative")
	}
	return nil
}

// Run installs.
func (o *installOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	s.WarnExposed(o.RunnerDSN)
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if o.Now {
			if err := s.Confirm(ctx, "Cancel all running tasks on "+db.Target()+" if the code that runs them changes?"); err != nil {
				return err
			}
		}
		r, err := db.Install(ctx, dialects.InstallOptions{
			Lanes: o.Lanes, RunnerDSN: o.RunnerDSN, ForceEnableBroker: o.ForceEnableBroker, LockTimeout: o.LockTimeout, DrainTimeout: o.DrainTimeout, Now: o.Now,
		})
		s.EndSteps()
		for _, w := range r.Warnings {
			s.Warn(w)
		}
		if err != nil || s.DryRun() {
			return err
		}
		lines := [][2]string{
			{"database", r.Database},
			{"schema", r.Schema},
			{"lanes", strconv.Itoa(r.Lanes)},
			{"tables at version", strconv.Itoa(r.Migration)},
			{"result", installResult(r)},
		}
		if len(r.Applied) > 0 && r.Unchanged == 0 && !certified(ctx, s) { // the first time
			lines = append(lines, [2]string{"certified", "no report for this version; to make one on a test database: dbsched certify"})
		}
		if st, err := db.Status(ctx); err == nil { // what was installed is installed, whether that can be read or not
			if _, next := st.WhyBlocked(); next != "" {
				lines = append(lines, [2]string{"next", next})
			}
		}
		return s.Result("install", r, lines)
	})
}

// certified reports whether docs/certified.md lists a report for this version of the server.
func certified(ctx context.Context, s *cli.Session) bool {
	d, t, err := s.Reach()
	return err == nil && certify.Received(ctx, certify.On{Dialect: d, Target: t})
}

func installResult(r dialects.InstallReport) string {
	if len(r.Applied) == 0 {
		return fmt.Sprintf("nothing to change (%d objects are up to date)", r.Unchanged)
	}
	return fmt.Sprintf("%d applied, %d unchanged", len(r.Applied), r.Unchanged)
}

type uninstallOptions struct {
	DrainTimeout time.Duration
	LockTimeout  time.Duration
}

func uninstallCommand(app *cli.App) *cobra.Command {
	var o uninstallOptions
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove dbsched with all its tasks and logs",
		Long: `Stops the scheduler, waits for running tasks, and removes everything that install
created, including tasks and logs. It asks first. It also removes an incomplete
installation.

On SQL Server, objects in the schema that dbsched did not create block the removal
(error 51095), and nothing is removed. On Oracle they stay.`,
	}
	app.Destroys(cmd)
	f := cmd.Flags()
	f.DurationVar(&o.DrainTimeout, "drain-timeout", time.Minute, "how long to wait for running tasks; if some still run, nothing is removed and the exit code is 5")
	f.DurationVar(&o.LockTimeout, "lock-timeout", 30*time.Second, "how long to wait for an installation of this schema")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the timeouts.
func (o *uninstallOptions) Validate() error {
	if o.DrainTimeout < 0 || o.LockTimeout < 0 {
		return dialects.Usagef("--drain-timeout and --lock-timeout must not be negative")
	}
	return nil
}

// Run uninstalls after asking.
func (o *uninstallOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		lost := ""
		if st, err := db.Status(ctx); err == nil && st.Unfinished > 0 { // an error: not, or not wholly, installed
			lost = fmt.Sprintf(" (%d unfinished)", st.Unfinished)
		}
		if err := s.Confirm(ctx, fmt.Sprintf("Remove dbsched with all its tasks%s and logs from schema %s on %s?", lost, db.Schema(), db.Target())); err != nil {
			return err
		}
		r, err := db.Uninstall(ctx, dialects.UninstallOptions{DrainTimeout: o.DrainTimeout, LockTimeout: o.LockTimeout})
		s.EndSteps()
		if err != nil || s.DryRun() {
			return err
		}
		result := fmt.Sprintf("%d objects removed", len(r.Removed))
		if len(r.Removed) == 0 {
			result = "nothing was installed"
		}
		return s.Result("uninstall", r, [][2]string{{"database", r.Database}, {"schema", r.Schema}, {"result", result}})
	})
}
