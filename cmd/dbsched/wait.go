package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type waitOptions struct {
	Process string
	Timeout time.Duration
}

func waitCommand(app *cli.App) *cobra.Command {
	var o waitOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "wait PROCESS",
		Short: "Wait for a process to end",
		Long: `Waits, inside the server, until the process has succeeded, failed or been cancelled. For
an open process, it waits until no task is left. The exit code is 1 if the process failed
or was cancelled, and 6 if the timeout was reached. Name the process by id or name.`,
		Example: `  dbsched wait "nightly load" --timeout 2h`,
		Args:    cobra.ExactArgs(1),
	})
	cmd.Flags().DurationVar(&o.Timeout, "timeout", 0, "how long to wait, in whole seconds (default: no limit)")
	return app.Bind(app.CompletesArguments(cmd, first(processNames(dialects.OpenStatuses()...))), func(args []string) cli.Options {
		o.Process = args[0]
		return &o
	})
}

// Validate checks the time.
func (o *waitOptions) Validate() error { return wholeSeconds("--timeout", o.Timeout) }

// Run waits.
func (o *waitOptions) Run(ctx context.Context, s *cli.Session) (verdict bool, err error) {
	_, err = s.Do(ctx, func(db dialects.Scheduler) error {
		id, err := findProcess(ctx, db, o.Process)
		if err != nil {
			return err
		}
		p, err := process(ctx, db, id)
		if err != nil {
			return err
		}
		warnIfBlocked(ctx, s, db)
		r := &runResult{Process: p.ID, Name: p.Name, total: int(p.Succeeded + p.Failed + p.Unfinished)}
		err = follow(ctx, s, db, r, o.Timeout, true)
		s.EndSteps()
		verdict = r.Outcome == "succeeded" || r.Outcome == "idle"
		return errors.Join(err, r.print(s))
	})
	return verdict, err
}
