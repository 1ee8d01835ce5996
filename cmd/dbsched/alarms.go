package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type alarmsOptions struct {
	listOptions
	All         bool
	Acknowledge bool
	UpTo        int64
	ID          int64
}

func alarmsCommand(app *cli.App) *cobra.Command {
	var o alarmsOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "alarms",
		Short: "List or acknowledge alarms",
		Long: `Lists the alarms that are not acknowledged. --ack acknowledges them: 'dbsched status'
then counts only newer alarms. --all also lists acknowledged alarms, until they are
purged.`,
		Example: `  dbsched alarms
  dbsched alarms --ack --id 17
  dbsched alarms --ack --up-to 17`,
		Annotations: map[string]string{"see": "[what each alarm means](errors.md#alarms)"},
	})
	f := cmd.Flags()
	f.BoolVar(&o.All, "all", false, "also list acknowledged alarms")
	f.BoolVar(&o.Acknowledge, "ack", false, "acknowledge the alarms")
	f.Int64Var(&o.UpTo, "up-to", 0, "with --ack: only alarms up to this number (default: all)")
	f.Int64Var(&o.ID, "id", 0, "with --ack: only the alarm with this number (default: all)")
	f.StringVar(&o.Since, "since", "", since)
	f.IntVar(&o.Limit, "limit", 100, "at most this many, the newest; 0 for all")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the numbers.
func (o *alarmsOptions) Validate() error {
	for _, n := range []struct {
		flag string
		id   int64
	}{{"up-to", o.UpTo}, {"id", o.ID}} {
		if n.id < 0 || n.id > 0 && !o.Acknowledge {
			return dialects.Usagef("--%s needs --ack and the number of an alarm", n.flag)
		}
	}
	if o.UpTo > 0 && o.ID > 0 {
		return dialects.Usagef("choose one of --up-to and --id")
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
			acknowledge, id := db.AcknowledgeAlarms, o.UpTo
			if o.ID > 0 {
				acknowledge, id = db.AcknowledgeAlarm, o.ID
			}
			if err := acknowledge(ctx, id); err != nil {
				return err
			}
			after, err := db.Status(ctx)
			if err == nil {
				s.Done("acknowledged %s; %d left", format.Plural(int(before.Alarms-after.Alarms), "alarm"), after.Alarms)
			}
			return err
		})
	}
	type A = dialects.Alarm
	o.open = !o.All
	return filtered(ctx, s, &o.listOptions, "alarms", dialects.Scheduler.Alarms, []cli.Column[A]{
		{Title: "Id", Right: true, Cell: func(a A) string { return strconv.FormatInt(a.ID, 10) }},
		{Title: "Raised", Cell: func(a A) string { return s.Time(a.RaisedAt) }},
		{Title: "Kind", Cell: func(a A) string { return a.Kind }},
		{Title: "Process", Spare: 2, Right: true, Cell: func(a A) string { return number(a.ProcessID) }},
		{Title: "Task", Spare: 1, Right: true, Cell: func(a A) string { return number(a.TaskID) }},
		{Title: "Name", Sparse: true, Spare: 2, Cell: func(a A) string { return a.TaskName }},
		{Title: "Lane", Spare: 3, Right: true, Cell: func(a A) string { return number(int64(a.Lane)) }},
		{Title: "Acknowledged by", Spare: 4, Cell: func(a A) string { return a.AcknowledgedBy }},
		{Title: "Text", Cut: true, Cell: func(a A) string { return a.Text }},
	})
}
