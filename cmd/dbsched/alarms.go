package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type alarmsOptions struct {
	listOptions
	All         bool
	Acknowledge bool
	UpTo        int64
}

func alarmsCommand(app *cli.App) *cobra.Command {
	var o alarmsOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "alarms",
		Short: "List alarms: what a person should look at",
		Long: `Lists the alarms that nobody has acknowledged. With --ack it marks them as known: then
'dbsched status' counts newer ones only. They stay in the list of --all until they are purged.`,
		Example: `  dbsched alarms
  dbsched alarms --ack --up-to 17`,
	})
	f := cmd.Flags()
	f.BoolVar(&o.All, "all", false, "list acknowledged alarms, too")
	f.BoolVar(&o.Acknowledge, "ack", false, "acknowledge the alarms")
	f.Int64Var(&o.UpTo, "up-to", 0, "with --ack: only those up to this number")
	f.StringVar(&o.Since, "since", "", "only from this time on: 2h (ago), 2026-01-31, or 2026-01-31T18:00")
	f.IntVar(&o.Limit, "limit", 100, "at most this many of the newest alarms; 0 for all")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the numbers.
func (o *alarmsOptions) Validate() error {
	if o.UpTo < 0 || o.UpTo > 0 && !o.Acknowledge {
		return dialects.Usagef("--up-to goes with --ack, and is the number of an alarm")
	}
	return o.listOptions.Validate()
}

// Run acknowledges or lists.
func (o *alarmsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if o.Acknowledge {
		return s.Do(ctx, func(db dialects.Scheduler) error {
			before, err := db.Status(ctx)
			if err != nil {
				return err
			}
			if err := db.AcknowledgeAlarms(ctx, o.UpTo); err != nil {
				return err
			}
			after, err := db.Status(ctx)
			if err == nil {
				s.Done("acknowledged %s; %d left", plural(int(before.Alarms-after.Alarms), "alarm"), after.Alarms)
			}
			return err
		})
	}
	type A = dialects.Alarm
	return list(ctx, s, &o.listOptions, "alarms",
		func(db dialects.Scheduler, f dialects.Filter) ([]A, error) {
			f.Unacknowledged = !o.All
			return db.Alarms(ctx, f)
		},
		[]cli.Column[A]{
			{Title: "Id", Right: true, Cell: func(a A) string { return strconv.FormatInt(a.ID, 10) }},
			{Title: "Raised", Cell: func(a A) string { return s.Time(a.RaisedAt) }},
			{Title: "Kind", Cell: func(a A) string { return a.Kind }},
			{Title: "Process", Right: true, Cell: func(a A) string { return number(a.ProcessID) }},
			{Title: "Task", Right: true, Cell: func(a A) string { return number(a.TaskID) }},
			{Title: "Lane", Right: true, Cell: func(a A) string { return number(int64(a.Lane)) }},
			{Title: "Acknowledged by", Cell: func(a A) string { return a.AcknowledgedBy }},
			{Title: "Text", Cell: func(a A) string { return a.Text }},
		})
}
