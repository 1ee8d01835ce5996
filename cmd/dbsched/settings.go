package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type purgeOptions struct {
	cli.NoFlags
	Days int
}

func purgeCommand(app *cli.App) *cobra.Command {
	var o purgeOptions
	cmd := app.Destroys(&cobra.Command{
		Use:   "purge",
		Short: "Forget what ended long ago: tasks, processes, attempts, alarms",
		Long: `Forgets what ended more than --days days ago, in slices, so that it holds up nobody. The
scheduler does the same by itself with what is older than its retention ('dbsched options').`,
		Example: "  dbsched purge --days 7",
	})
	cmd.Flags().IntVar(&o.Days, "days", 0, "what ended more days ago goes; 0 is all that has ended (required)")
	_ = cmd.MarkFlagRequired("days") // the flag is there
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run purges, after asking.
func (o *purgeOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := s.Confirm("Forget all that ended more than " + plural(o.Days, "day") + " ago on " + db.Target() + "?"); err != nil {
			return err
		}
		if err := db.Purge(ctx, o.Days); err != nil {
			return err
		}
		s.Done("purged what ended more than %s ago", plural(o.Days, "day"))
		return nil
	})
}

// option is one setting: its flag, and where it is in the options.
type option struct {
	flag, usage string
	value       func(*dialects.Options) **int64
}

var settings = []option{
	{"linger-seconds", "seconds that an idle worker waits for work before it ends", func(o *dialects.Options) **int64 { return &o.LingerSeconds }},
	{"idle-sweep-seconds", "seconds from one sweep to the next", func(o *dialects.Options) **int64 { return &o.IdleSweepSeconds }},
	{"retention-days", "days that what has ended is kept", func(o *dialects.Options) **int64 { return &o.RetentionDays }},
	{"max-retry-delay-seconds", "seconds that the pause before a retry grows to at most", func(o *dialects.Options) **int64 { return &o.MaxRetryDelaySeconds }},
	{"max-orphans", "how often a task is run again whose worker died", func(o *dialects.Options) **int64 { return &o.MaxOrphans }},
}

type optionsOptions struct {
	cli.NoFlags
	changes dialects.Options
	given   func(flag string) bool
}

func optionsCommand(app *cli.App) *cobra.Command {
	cmd := app.Writes(&cobra.Command{
		Use:     "options",
		Short:   "Show the settings, or change those that are given",
		Example: "  dbsched options\n  dbsched options --retention-days 90",
	})
	flags := cmd.Flags()
	o := &optionsOptions{given: flags.Changed}
	for _, setting := range settings {
		value := new(int64)
		*setting.value(&o.changes) = value
		flags.Int64Var(value, setting.flag, 0, setting.usage+" (default: as it is)")
	}
	return app.Bind(cmd, func([]string) cli.Options { return o })
}

// Run changes what was given and shows all.
func (o *optionsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		changed := false
		for _, setting := range settings {
			if o.given(setting.flag) {
				changed = true
			} else {
				*setting.value(&o.changes) = nil
			}
		}
		if changed {
			if err := db.SetOptions(ctx, o.changes); err != nil || s.DryRun() {
				return err
			}
		}
		now, err := db.Options(ctx)
		if err != nil {
			return err
		}
		var lines [][2]string
		for _, setting := range settings {
			if value := *setting.value(&now); value != nil {
				lines = append(lines, [2]string{setting.flag, strconv.FormatInt(*value, 10)})
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
		Use:     "hook PROCEDURE",
		Short:   "Have a procedure of yours called for every alarm",
		Long:    "The procedure gets the number of the alarm, and runs as the user who sets it. With --off none is called.",
		Example: "  dbsched hook dbo.OnAlarm\n  dbsched hook --off",
		Args:    cobra.MaximumNArgs(1),
	})
	cmd.Flags().BoolVar(&o.Off, "off", false, "call none any longer")
	return app.Bind(cmd, func(args []string) cli.Options {
		if len(args) == 1 {
			o.Procedure = args[0]
		}
		return &o
	})
}

// Validate wants one of both.
func (o *hookOptions) Validate() error {
	if o.Off == (o.Procedure != "") {
		return dialects.Usagef("name the procedure to call, or say --off")
	}
	return nil
}

// Run sets the hook.
func (o *hookOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := db.SetAlarmHook(ctx, o.Procedure); err != nil {
			return err
		}
		if o.Off {
			s.Done("no procedure is called for alarms")
		} else {
			s.Done("%s is called for every alarm", o.Procedure)
		}
		return nil
	})
}
