package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type purgeOptions struct{ Days int }

func purgeCommand(app *cli.App) *cobra.Command {
	var o purgeOptions
	cmd := app.Destroys(&cobra.Command{
		Use:   "purge",
		Short: "Delete old finished tasks, processes, attempts and alarms",
		Long: `Deletes what ended more than --days days ago, in small transactions that do not block workers.
It asks first. The scheduler does the same by itself when the retention time is over
('dbsched options --retention-days').`,
		Example: "  dbsched purge --days 7",
	})
	cmd.Flags().IntVar(&o.Days, "days", 0, "delete what ended more than this many days ago; 0 deletes everything that has ended (required)")
	_ = cmd.MarkFlagRequired("days") // the flag exists
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the number.
func (o *purgeOptions) Validate() error {
	if o.Days < 0 {
		return dialects.Usagef("--days is %d; it must be 0 or more", o.Days)
	}
	return nil
}

// Run purges, after asking.
func (o *purgeOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	what := "everything that ended more than " + format.Plural(o.Days, "day") + " ago"
	return s.Order(ctx, "Delete "+what, func(db dialects.Scheduler) error { return db.Purge(ctx, o.Days) }, "deleted %s", what)
}

type optionsOptions struct {
	cli.NoFlags
	changes dialects.Options
	given   func(flag string) bool
}

func optionsCommand(app *cli.App) *cobra.Command {
	cmd := app.Writes(&cobra.Command{
		Use:         "options",
		Short:       "Show or change the settings",
		Example:     "  dbsched options\n  dbsched options --retention-days 90",
		Annotations: map[string]string{"see": "[SetOptions](interface.md#setoptions)"},
	})
	flags := cmd.Flags()
	o := &optionsOptions{given: flags.Changed}
	for _, setting := range o.changes.Settings() {
		*setting.Value = new(int64)
		flags.Int64Var(*setting.Value, setting.Flag, 0, setting.Help+" (default: unchanged)")
	}
	return app.Bind(cmd, func([]string) cli.Options { return o })
}

// Run changes what was given and shows all.
func (o *optionsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		changed := false
		for _, setting := range o.changes.Settings() {
			if o.given(setting.Flag) {
				changed = true
			} else {
				*setting.Value = nil
			}
		}
		if changed {
			if err := db.SetOptions(ctx, o.changes); err != nil {
				return err
			}
			if limit := o.changes.DefaultTimeoutSeconds; limit != nil && *limit > 0 {
				warnIfNotEnded(ctx, s, db)
			}
			if s.DryRun() {
				return nil
			}
		}
		now, err := db.Options(ctx)
		if err != nil {
			return err
		}
		var lines [][2]string
		for _, setting := range now.Settings() {
			if value := *setting.Value; value != nil {
				lines = append(lines, [2]string{setting.Flag, strconv.FormatInt(*value, 10)})
			}
		}
		return s.One("options", now, append(lines, [2]string{"alarm hook", now.AlarmHook}))
	})
}

type hookOptions struct {
	Procedure string
	Off       bool
}

func hookCommand(app *cli.App) *cobra.Command {
	var o hookOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "hook PROCEDURE",
		Short: "Call your own procedure for every alarm",
		Long: `The procedure receives the number of the alarm, and runs as the user that set the hook.
With --off, no procedure is called.`,
		Example:     "  dbsched hook dbo.OnAlarm\n  dbsched hook --off",
		Annotations: map[string]string{"see": "[SetAlarmHook](interface.md#setalarmhook)"},
		Args:        cobra.MaximumNArgs(1),
	})
	cmd.Flags().BoolVar(&o.Off, "off", false, "call no procedure")
	return app.Bind(cmd, func(args []string) cli.Options {
		if len(args) == 1 {
			o.Procedure = args[0]
		}
		return &o
	})
}

// Validate requires one of the two.
func (o *hookOptions) Validate() error {
	if o.Off == (o.Procedure != "") {
		return dialects.Usagef("name a procedure, or use --off")
	}
	return nil
}

// Run sets the hook.
func (o *hookOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	done := o.Procedure + " is called for every alarm"
	if o.Off {
		done = "no procedure is called for alarms"
	}
	return s.Order(ctx, "", func(db dialects.Scheduler) error { return db.SetAlarmHook(ctx, o.Procedure) }, "%s", done)
}
