package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// listOptions are the flags that narrow a list of things that belong to processes.
type listOptions struct {
	Process      string
	Status       []string
	Since, Until string
	Text         string
	Task         string
	Limit        int

	open         bool     // of alarms: those that are not acknowledged
	statuses     []string // the known ones
	since, until time.Time
}

// since is the usage of --since.
const since = "only from this time: 2h (ago), 2026-01-31, 2026-01-31T18:00 or 2026-01-31T18:00:00Z"

func (o *listOptions) bind(app *cli.App, cmd *cobra.Command, things string, statuses ...string) {
	o.statuses = statuses
	f := cmd.Flags()
	f.StringVar(&o.Process, "process", "", "only this process, by id or name")
	app.CompletesFlag(cmd, "process", processNames())
	namesVar(f, &o.Status, "status", "only these statuses, separated by commas: "+strings.Join(statuses, ", "))
	app.Completes(cmd, "status", statuses...)
	f.StringVar(&o.Since, "since", "", since)
	f.StringVar(&o.Until, "until", "", "only before this time; same formats as --since")
	f.IntVar(&o.Limit, "limit", 100, "at most this many "+things+", the newest; 0 for all")
}

// bindText adds the flag for lists with SQL.
func (o *listOptions) bindText(cmd *cobra.Command, of string) {
	cmd.Flags().StringVar(&o.Text, "text", "", "only with this text in "+of+"; ignores case")
}

// Validate checks the limit and the times, and resolves the statuses, whatever their case.
func (o *listOptions) Validate() (err error) {
	if o.Limit < 0 {
		return dialects.Usagef("--limit is %d; it must be 0 or more", o.Limit)
	}
	if o.Task != "" {
		if err := checkTask(o.Task); err != nil {
			return err
		}
	}
	now := time.Now()
	if o.since, err = moment("--since", o.Since, now); err != nil {
		return err
	}
	if o.until, err = moment("--until", o.Until, now); err != nil {
		return err
	}
status:
	for i, status := range o.Status {
		for _, s := range o.statuses {
			if strings.EqualFold(s, strings.TrimSpace(status)) {
				o.Status[i] = s
				continue status
			}
		}
		return dialects.Usagef("unknown status %q. Valid values: %s", status, strings.Join(o.statuses, ", "))
	}
	return nil
}

// moment reads a time: a duration before now, a local day or minute, or RFC 3339.
func moment(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(n)), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateTime, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, dialects.Usagef("%s is %q. Write 2h or 3d (that long ago), 2026-01-31, 2026-01-31T18:00 (your zone), or 2026-01-31T18:00:00Z", flag, text)
}

// filter resolves the flags.
func (o *listOptions) filter(ctx context.Context, db dialects.Scheduler) (dialects.Filter, error) {
	f := dialects.Filter{Statuses: o.Status, Since: o.since, Until: o.until, Text: o.Text, Limit: o.Limit, Unacknowledged: o.open}
	var err error
	if o.Process != "" {
		if f.ProcessID, err = findProcess(ctx, db, o.Process); err != nil {
			return f, err
		}
	}
	if o.Task != "" {
		f.TaskID, err = findTask(ctx, db, o.Task, o.Process)
	}
	return f, err
}

// filtered is a list of what the flags select.
func filtered[T any](ctx context.Context, s *cli.Session, o *listOptions, kind string,
	read func(dialects.Scheduler, context.Context, dialects.Filter) ([]T, error), columns []cli.Column[T],
) (bool, error) {
	return list(ctx, s, kind, func(db dialects.Scheduler, ctx context.Context) ([]T, error) {
		f, err := o.filter(ctx, db)
		if err != nil {
			return nil, err
		}
		return read(db, ctx, f)
	}, columns)
}

// list is the shape of all list commands. read is a method of a scheduler.
func list[T any](ctx context.Context, s *cli.Session, kind string, read func(dialects.Scheduler, context.Context) ([]T, error), columns []cli.Column[T]) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		items, err := read(db, ctx)
		if err != nil {
			return err
		}
		return cli.List(s, kind, items, columns)
	})
}

// took formats how long something lasted, or nothing if it has not ended.
func took(from, to *time.Time) string {
	if from == nil || to == nil {
		return ""
	}
	d := to.Sub(*from)
	if d >= time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}
