package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

// first is for commands with one argument: a second has no names.
func first(names cli.Names) cli.Names {
	return func(ctx context.Context, db dialects.Scheduler, args []string) ([]cli.Name, error) {
		if len(args) > 0 {
			return nil, nil
		}
		return names(ctx, db, args)
	}
}

// offered is how many processes or tasks a completion offers at most, the newest.
const offered = 100

// processNames lists processes: an unfinished one by its name if no other has it, all others by id.
func processNames(among ...string) cli.Names {
	return func(ctx context.Context, db dialects.Scheduler, _ []string) ([]cli.Name, error) {
		all, err := db.Processes(ctx, dialects.Filter{Statuses: among, Limit: offered})
		same := map[string]int{}
		for _, p := range all {
			same[strings.ToLower(p.Name)]++
		}
		names := make([]cli.Name, len(all))
		for i, p := range all {
			id := strconv.FormatInt(p.ID, 10)
			_, noID := strconv.ParseInt(p.Name, 10, 64)
			if slices.Contains(dialects.OpenStatuses(), p.Status) && same[strings.ToLower(p.Name)] == 1 && noID != nil && p.Name != "" && !strings.ContainsFunc(p.Name, format.Unseen) {
				names[i] = cli.Name{Text: p.Name, About: fmt.Sprintf("process %s, %s", id, p.Status)}
			} else {
				names[i] = cli.Name{Text: id, About: strings.TrimPrefix(p.Name+", "+p.Status, ", ")}
			}
		}
		return names, err
	}
}

// taskNames lists tasks by id.
func taskNames(among ...string) cli.Names {
	return func(ctx context.Context, db dialects.Scheduler, _ []string) ([]cli.Name, error) {
		all, err := db.Tasks(ctx, dialects.Filter{Statuses: among, Limit: offered})
		return named(all, func(t dialects.Task) cli.Name {
			return cli.Name{Text: strconv.FormatInt(t.ID, 10), About: t.Status + ": " + format.Label(t.Name, t.SQL)}
		}), err
	}
}

// completesTargets completes the kind, task or process, and then those of this kind that have one of these statuses.
func completesTargets(app *cli.App, cmd *cobra.Command, tasks, processes []string) *cobra.Command {
	app.CompletesArguments(cmd, func(ctx context.Context, db dialects.Scheduler, args []string) ([]cli.Name, error) {
		switch args[0] {
		case "task":
			return taskNames(tasks...)(ctx, db, args)
		case "process":
			return processNames(processes...)(ctx, db, args)
		}
		return nil, nil
	})
	names := cmd.ValidArgsFunction
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 { // needs no database
			return []string{"task", "process"}, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd, args, typed)
	}
	return cmd
}

func scheduleNames(ctx context.Context, db dialects.Scheduler, _ []string) ([]cli.Name, error) {
	all, err := db.Schedules(ctx, "")
	return named(all, func(s dialects.Schedule) cli.Name { return cli.Name{Text: s.Name, About: s.Status + ", " + s.Calendar} }), err
}

// resourceNames lists the resources, each once.
func resourceNames(ctx context.Context, db dialects.Scheduler, _ []string) ([]cli.Name, error) {
	all, err := db.Resources(ctx)
	var names []cli.Name
	for i, r := range all {
		if i == 0 || r.Resource != all[i-1].Resource {
			names = append(names, cli.Name{Text: r.Resource, About: fmt.Sprintf("%d of %d held", r.Held, r.Capacity)})
		}
	}
	return names, err
}

// requestNames lists the requests that `resource release` ends: those of sessions.
func requestNames(ctx context.Context, db dialects.Scheduler, _ []string) ([]cli.Name, error) {
	all, err := db.Resources(ctx)
	var names []cli.Name
	for _, r := range all {
		if r.Request != 0 && r.TaskID == 0 {
			names = append(names, cli.Name{Text: strconv.FormatInt(r.Request, 10), About: r.Resource + ", " + r.Status})
		}
	}
	return names, err
}

// roundNames lists rounds and, after the name of one, its members.
func roundNames(ctx context.Context, db dialects.Scheduler, args []string) ([]cli.Name, error) {
	all, err := db.Rounds(ctx)
	if len(args) == 0 {
		return named(all, func(r dialects.Round) cli.Name {
			return cli.Name{Text: r.Name, About: format.Plural(r.Members, "member")}
		}), err
	}
	i := slices.IndexFunc(all, func(r dialects.Round) bool { return strings.EqualFold(r.Name, args[0]) })
	if i < 0 || len(args) > 1 {
		return nil, err
	}
	return named(all[i].Reports, func(r dialects.RoundReport) cli.Name { return cli.Name{Text: r.Member} }), err
}

// named makes names of a list.
func named[T any](all []T, name func(T) cli.Name) []cli.Name {
	names := make([]cli.Name, len(all))
	for i, item := range all {
		names[i] = name(item)
	}
	return names
}
