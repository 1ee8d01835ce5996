package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

// listOptions are the flags that narrow a list of things that belong to processes.
type listOptions struct {
	Process  string
	Status   string
	Limit    int
	statuses []string
}

func (o *listOptions) bind(cmd *cobra.Command, things string, statuses ...string) {
	o.statuses = statuses
	f := cmd.Flags()
	f.StringVar(&o.Process, "process", "", "only of this process (name or id)")
	f.StringVar(&o.Status, "status", "", "only with this status: "+strings.Join(statuses, ", "))
	f.IntVar(&o.Limit, "limit", 100, "at most this many of the newest "+things+"; 0 for all")
}

// Validate checks the limit and finds the status, whatever its case.
func (o *listOptions) Validate() error {
	if o.Limit < 0 {
		return dialects.Usagef("--limit is %d; it must be 0 or more", o.Limit)
	}
	if o.Status == "" {
		return nil
	}
	for _, s := range o.statuses {
		if strings.EqualFold(s, o.Status) {
			o.Status = s
			return nil
		}
	}
	return dialects.Usagef("unknown status %q; known are: %s", o.Status, strings.Join(o.statuses, ", "))
}

// filter resolves the flags.
func (o *listOptions) filter(ctx context.Context, db dialects.Scheduler) (dialects.Filter, error) {
	f := dialects.Filter{Status: o.Status, Limit: o.Limit}
	if o.Process == "" {
		return f, nil
	}
	var err error
	f.ProcessID, err = db.FindProcess(ctx, o.Process)
	return f, err
}

// list is the shape of all three commands.
func list[T any](ctx context.Context, s *cli.Session, o *listOptions, kind string,
	read func(dialects.Scheduler, dialects.Filter) ([]T, error), columns []cli.Column[T],
) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		f, err := o.filter(ctx, db)
		if err != nil {
			return err
		}
		items, err := read(db, f)
		if err != nil {
			return err
		}
		return cli.List(s, kind, items, columns)
	})
}
