package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

func resourceCommand(app *cli.App) *cobra.Command {
	list := func(use string) *cobra.Command {
		return app.Bind(app.Connects(&cobra.Command{
			Use:   use,
			Short: "List, define and release resources",
			Long: `A resource is a semaphore with a number of units. Requests are granted first come, first
served: a Shared request takes one unit, an Exclusive request takes all. Tasks name a
resource when they are enqueued; sessions call AcquireResource (Oracle:
acquire_resource).`,
			Annotations: map[string]string{"see": "[AcquireResource](interface.md#acquireresource), [acquire_resource](interface-oracle.md#acquire_resource)"},
		}), func([]string) cli.Options { return &resourceOptions{} })
	}
	cmd := list("resource")
	listed := list("list")
	listed.Short, listed.Long, listed.Annotations = "List resources and their requests", "", nil
	cmd.AddCommand(listed, defineResourceCommand(app), dropResourceCommand(app), releaseResourceCommand(app))
	return cmd
}

type resourceOptions struct{ cli.NoFlags }

// Run lists.
func (o *resourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	type R = dialects.ResourceRequest
	return list(ctx, s, "resources", dialects.Scheduler.Resources, []cli.Column[R]{
		{Title: "Resource", Cell: func(r R) string { return r.Resource }},
		{Title: "Capacity", Spare: 3, Right: true, Cell: func(r R) string { return strconv.Itoa(r.Capacity) }},
		{Title: "Request", Spare: 4, Right: true, Cell: func(r R) string { return number(r.Request) }},
		{Title: "Status", Cell: func(r R) string { return r.Status }},
		{Title: "Access", Spare: 1, Cell: func(r R) string { return r.Access }},
		{Title: "Requester", Cell: func(r R) string { return r.Requester }},
		{Title: "Task", Spare: 2, Right: true, Cell: func(r R) string { return number(r.TaskID) }},
		{Title: "Session", Spare: 6, Right: true, Cell: func(r R) string { return number(int64(r.SessionID)) }},
		{Title: "Asked", Spare: 5, Cell: func(r R) string { return s.TimeOrNone(r.RequestedAt) }},
		{Title: "Granted", Cell: func(r R) string { return s.TimeOrNone(r.GrantedAt) }},
		{Title: "Until", Spare: 7, Cell: func(r R) string { return s.TimeOrNone(r.LeaseUntil) }},
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
		Long:    `More capacity is granted at once. Less capacity takes nothing from its holders.`,
		Example: `  dbsched resource define "report server" --capacity 3`,
		Args:    cobra.ExactArgs(1),
	})
	cmd.Flags().IntVar(&o.Capacity, "capacity", 1, fmt.Sprintf("units that can be held at once, 1 to %d", dialects.MaxCapacity))
	return app.Bind(app.CompletesArguments(cmd, first(resourceNames)), func(args []string) cli.Options {
		o.Name = args[0]
		return &o
	})
}

// Validate checks name and capacity.
func (o *defineResourceOptions) Validate() error {
	switch {
	case strings.TrimSpace(o.Name) == "":
		return dialects.Usagef("the name is empty")
	case o.Capacity < 1 || o.Capacity > dialects.MaxCapacity:
		return dialects.Usagef("--capacity is %d; it must be from 1 to %d", o.Capacity, dialects.MaxCapacity)
	}
	return nil
}

// Run defines it.
func (o *defineResourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Order(ctx, "", func(db dialects.Scheduler) error { return db.DefineResource(ctx, o.Name, o.Capacity) },
		"resource %s has %s", o.Name, format.Plural(o.Capacity, "unit"))
}

type dropResourceOptions struct {
	cli.NoFlags
	Name string
}

func dropResourceCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.CompletesArguments(app.Writes(&cobra.Command{
		Use:     "drop NAME",
		Short:   "Remove a resource with no holders or waiters",
		Long:    `Also refuses while an unfinished task names the resource.`,
		Example: `  dbsched resource drop "report server"`,
		Args:    cobra.ExactArgs(1),
	}), first(resourceNames)), func(args []string) cli.Options { return &dropResourceOptions{Name: args[0]} })
}

// Run removes it.
func (o *dropResourceOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Order(ctx, "", func(db dialects.Scheduler) error { return db.DropResource(ctx, o.Name) }, "dropped: resource %s", o.Name)
}

type releaseResourceOptions struct {
	Request string
	id      int64
}

func releaseResourceCommand(app *cli.App) *cobra.Command {
	return app.Bind(app.CompletesArguments(app.Destroys(&cobra.Command{
		Use:   "release REQUEST",
		Short: "End a request, waiting or granted",
		Long: `Removes a session's request, so that the next one is granted. It asks first. The session
is not told. 'dbsched resource list' shows the number. A task releases its resource when
it ends: to free it earlier, cancel the task.`,
		Example: `  dbsched resource release 12`,
		Args:    cobra.ExactArgs(1),
	}), first(requestNames)), func(args []string) cli.Options { return &releaseResourceOptions{Request: args[0]} })
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
	return s.Order(ctx, "End request "+o.Request, func(db dialects.Scheduler) error { return db.ReleaseResource(ctx, o.id) }, "released: request %d", o.id)
}
