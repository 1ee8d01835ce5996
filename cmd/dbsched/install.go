package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
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
		Short: "Install dbsched into a schema of the database, or bring it up to date",
		Long: `Installs tables, code, queues and views into a schema of the database. What is
there already and unchanged is left alone, so a second run changes nothing. Everything
that stands in the way (version, rights, read-only database) is listed at once, before
anything is changed.`,
	}
	app.Destroys(cmd)
	f := cmd.Flags()
	f.IntVar(&o.Lanes, "lanes", 0, "worker slots to create: the most workers there can ever be (default: as installed, or 16)")
	f.StringVar(&o.RunnerDSN, "runner-dsn", "", "Oracle: how to log in as the user as whom tasks are to run, so that others can be let enqueue them (default: as installed, or as the owner)")
	f.BoolVar(&o.ForceEnableBroker, "force-enable-broker", false, "if messaging is off, roll back and disconnect everybody else to switch it on")
	f.DurationVar(&o.LockTimeout, "lock-timeout", 30*time.Second, "how long to wait for another installation to end")
	f.DurationVar(&o.DrainTimeout, "drain-timeout", time.Minute, "how long running tasks may take to finish if the code that runs them changes")
	f.BoolVar(&o.Now, "now", false, "if the code changes, give up running tasks: cancel them instead of letting them finish")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the number of lanes.
func (o *installOptions) Validate() error {
	if o.Lanes < 0 || o.Lanes > dialects.MaxLanes {
		return dialects.Usagef("--lanes is %d; it must be between 1 and %d", o.Lanes, dialects.MaxLanes)
	}
	if o.DrainTimeout < 0 || o.LockTimeout < 0 {
		return dialects.Usagef("--drain-timeout and --lock-timeout must not be negative")
	}
	return nil
}

// Run installs.
func (o *installOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if o.Now {
			if err := s.Confirm("Give up all running tasks on " + db.Target() + ", if the code that runs them changes?"); err != nil {
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
		return s.One("install", r, [][2]string{
			{"database", r.Database},
			{"schema", r.Schema},
			{"lanes", strconv.Itoa(r.Lanes)},
			{"tables at version", strconv.Itoa(r.Migration)},
			{"result", installResult(r)},
		})
	})
}

func installResult(r dialects.InstallReport) string {
	if len(r.Applied) == 0 {
		return fmt.Sprintf("nothing to change (%d objects are as they should be)", r.Unchanged)
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
		Short: "Remove dbsched, its schema, its tasks and its logs from the database",
	}
	app.Destroys(cmd)
	f := cmd.Flags()
	f.DurationVar(&o.DrainTimeout, "drain-timeout", time.Minute, "how long running tasks may take to finish")
	f.DurationVar(&o.LockTimeout, "lock-timeout", 30*time.Second, "how long to wait for an installation to end")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the time-outs.
func (o *uninstallOptions) Validate() error {
	if o.DrainTimeout < 0 || o.LockTimeout < 0 {
		return dialects.Usagef("--drain-timeout and --lock-timeout must not be negative")
	}
	return nil
}

// Run uninstalls after asking.
func (o *uninstallOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := s.Confirm(fmt.Sprintf("Remove dbsched with all its tasks and logs from schema %s on %s?", db.Schema(), db.Target())); err != nil {
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
		return s.One("uninstall", r, [][2]string{{"database", r.Database}, {"schema", r.Schema}, {"result", result}})
	})
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strings.Join([]string{strconv.Itoa(n), noun}, " ")
}
