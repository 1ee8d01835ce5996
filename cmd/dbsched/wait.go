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
		Short: "Wait until a process (name or id) has ended",
		Long: `Waits until a process has succeeded, failed or was cancelled; of an open one, until no task is
left. It waits inside the server. The exit code is 1 if the process failed or was cancelled, and 6 if the time is over.`,
		Example: `  dbsched wait "nightly load" --timeout 2h`,
		Args:    cobra.ExactArgs(1),
	})
	cmd.Flags().DurationVar(&o.Timeout, "timeout", 0, "how long to wait, in whole seconds; 0 for as long as it takes")
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Process = args[0]
		return &o
	})
}

// Validate checks the time.
func (o *waitOptions) Validate() error { return wholeSeconds("--timeout", o.Timeout) }

// Run waits.
func (o *waitOptions) Run(ctx context.Context, s *cli.Session) (verdict bool, err error) {
	_, err = s.Do(ctx, func(db dialects.Scheduler) error {
		id, err := db.FindProcess(ctx, o.Process)
		if err != nil {
			return err
		}
		p, err := process(ctx, db, id)
		if err != nil {
			return err
		}
		warnIfBlocked(ctx, s, db)
		r := &runResult{Process: p.ID, Name: p.Name, Tasks: []int64{}, Waves: []int{}, total: int(p.Succeeded + p.Failed + p.Unfinished)}
		err = follow(ctx, s, db, r, o.Timeout, true)
		s.EndSteps()
		verdict = r.Outcome == "succeeded" || r.Outcome == "idle"
		return errors.Join(err, r.print(s))
	})
	return verdict, err
}
