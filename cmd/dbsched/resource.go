package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

func resourceCommand(app *cli.App) *cobra.Command {
	list := func(use string) *cobra.Command {
		return app.Bind(app.Connects(&cobra.Command{
			Use:   use,
			Short: "List resources and their lines; define and release them",
			Long: `A resource is a semaphore with a number of units. Tasks and sessions stand in its line, first
come, first served: who shares takes one unit, who wants it exclusively takes all.`,
		}), func([]string) cli.Options { return &resourceOptions{} })
	}
	cmd := list("resource")
	listed := list("list")
	listed.Short = "List resources and their lines"
	cmd.AddCommand(listed, defineResourceCommand(app), dropResourceCommand(app), releaseResourceCommand(app))
	return cmd
}

type resourceOptions struct{ cli.NoFlags }

// Run lists.
func (o *resourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		type R = dialects.ResourceRequest
		all, err := db.Resources(ctx)
		if err != nil {
			return err
		}
		return cli.List(s, "resources", all, []cli.Column[R]{
			{Title: "Resource", Cell: func(r R) string { return r.Resource }},
			{Title: "Capacity", Right: true, Cell: func(r R) string { return strconv.Itoa(r.Capacity) }},
			{Title: "Request", Right: true, Cell: func(r R) string { return number(r.Request) }},
			{Title: "Status", Cell: func(r R) string { return r.Status }},
			{Title: "Access", Cell: func(r R) string { return r.Access }},
			{Title: "Requester", Cell: func(r R) string { return r.Requester }},
			{Title: "Task", Right: true, Cell: func(r R) string { return number(r.TaskID) }},
			{Title: "Session", Right: true, Cell: func(r R) string { return number(int64(r.SessionID)) }},
			{Title: "Asked", Cell: func(r R) string { return s.TimeOrNone(r.RequestedAt) }},
			{Title: "Granted", Cell: func(r R) string { return s.TimeOrNone(r.GrantedAt) }},
			{Title: "Until", Cell: func(r R) string { return s.TimeOrNone(r.LeaseUntil) }},
		})
	})
}

type defineResourceOptions struct {
	Name     string
	Capacity int
}

func defineResourceCommand(app *cli.App) *cobra.Command {
	var o defineResourceOptions
	cmd := app.Writes(&cobra.Command{
		Use:     "define NAME",
		Short:   "Define a resource, or change its capacity",
		Example: `  dbsched resource define "report server" --capacity 3`,
		Args:    cobra.ExactArgs(1),
	})
	cmd.Flags().IntVar(&o.Capacity, "capacity", 1, "units that may be held at once")
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Name = args[0]
		return &o
	})
}

// Validate checks name and capacity.
func (o *defineResourceOptions) Validate() error {
	switch {
	case strings.TrimSpace(o.Name) == "":
		return dialects.Usagef("the name is empty")
	case o.Capacity < 1 || o.Capacity > 1_000_000:
		return dialects.Usagef("--capacity is %d; it must be from 1 to 1000000", o.Capacity)
	}
	return nil
}

// Run defines it.
func (o *defineResourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := db.DefineResource(ctx, o.Name, o.Capacity); err != nil {
			return err
		}
		s.Done("resource %s has %s", o.Name, plural(o.Capacity, "unit"))
		return nil
	})
}

type dropResourceOptions struct {
	cli.NoFlags
	Name string
}

func dropResourceCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.Writes(&cobra.Command{
		Use:     "drop NAME",
		Short:   "Remove a resource that nobody holds or waits for",
		Example: `  dbsched resource drop "report server"`,
		Args:    cobra.ExactArgs(1),
	}), func(args []string) cli.Options { return &dropResourceOptions{Name: args[0]} })
}

// Run removes it.
func (o *dropResourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := db.DropResource(ctx, o.Name); err != nil {
			return err
		}
		s.Done("dropped: resource %s", o.Name)
		return nil
	})
}

type releaseResourceOptions struct {
	Request string
	id      int64
}

func releaseResourceCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.Destroys(&cobra.Command{
		Use:   "release REQUEST",
		Short: "End a request for a resource, whether it waits or was granted",
		Long: `Takes a session's request out of the line of a resource, so that the next one gets it. Who
held it is not told. The number is that of 'dbsched resource list'. A task gives its
resource back when it ends: cancel the task instead.`,
		Example: `  dbsched resource release 12`,
		Args:    cobra.ExactArgs(1),
	}), func(args []string) cli.Options { return &releaseResourceOptions{Request: args[0]} })
}

// Validate parses the number.
func (o *releaseResourceOptions) Validate() error {
	var err error
	if o.id, err = strconv.ParseInt(o.Request, 10, 64); err != nil || o.id < 1 {
		return dialects.Usagef("%q is not the number of a request", o.Request)
	}
	return nil
}

// Run ends the request, after asking.
func (o *releaseResourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if err := s.Confirm("End request " + o.Request + " on " + db.Target() + ", whoever holds it?"); err != nil {
			return err
		}
		if err := db.ReleaseResource(ctx, o.id); err != nil {
			return err
		}
		s.Done("released: request %d", o.id)
		return nil
	})
}
