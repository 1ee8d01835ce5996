package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

// targetOptions name tasks or processes.
type targetOptions struct {
	Kind    string // task or process
	IDs     []string
	Process string // of named tasks
}

// Validate checks the kind and the numbers.
func (o *targetOptions) Validate() error {
	switch o.Kind {
	case "process":
		if o.Process != "" {
			return dialects.Usagef("--process is for tasks. Write the process after the word process")
		}
	case "task":
		for _, id := range o.IDs {
			if err := checkTask(id); err != nil {
				return err
			}
		}
	default:
		return dialects.Usagef("%q is not valid. Write task or process, then the ids", o.Kind)
	}
	return nil
}

// String names them all.
func (o *targetOptions) String() string {
	kind := o.Kind
	if len(o.IDs) > 1 {
		kind = map[string]string{"task": "tasks", "process": "processes"}[kind]
	}
	return kind + " " + strings.Join(o.IDs, ", ")
}

// resolve replaces names by ids, in texts as "7 (load)". All come first: a wrong one must not leave half of them done.
// It fails if several processes in one of these states have the name.
func (o *targetOptions) resolve(ctx context.Context, db dialects.Scheduler, among ...string) ([]int64, error) {
	ids := make([]int64, len(o.IDs))
	for i, text := range o.IDs {
		var err error
		if o.Kind == "task" {
			ids[i], err = findTask(ctx, db, text, o.Process)
		} else {
			ids[i], err = findOnlyProcess(ctx, db, text, among)
		}
		if err != nil {
			return nil, err
		}
		if text != strconv.FormatInt(ids[i], 10) {
			o.IDs[i] = fmt.Sprintf("%d (%s)", ids[i], text)
		}
	}
	return ids, nil
}

// findOnlyProcess finds a process by id or name; it fails if several in one of these states have the name.
func findOnlyProcess(ctx context.Context, db dialects.Scheduler, text string, among []string) (int64, error) {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return findProcess(ctx, db, text)
	}
	all, err := db.Processes(ctx, dialects.Filter{Statuses: among})
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(p dialects.Process) bool { return !strings.EqualFold(p.Name, text) })
	switch len(all) {
	case 0:
		return findProcess(ctx, db, text)
	case 1:
		return all[0].ID, nil
	}
	var same []string
	for _, p := range all {
		same = append(same, strconv.FormatInt(p.ID, 10))
	}
	return 0, dialects.Usagef("%d processes are named %q: %s. Use an id", len(same), text, strings.Join(same, ", "))
}

// each calls task or process for all of them, one by one: each is its own
// transaction. It stops at the first that fails.
func (o *targetOptions) each(ctx context.Context, ids []int64, verb string, task, process func(context.Context, int64) error) error {
	act := task
	if o.Kind == "process" {
		act = process
	}
	var done []string
	for i, id := range ids {
		name := fmt.Sprintf("%s %s %d", verb, o.Kind, id)
		err := act(ctx, id)
		switch {
		case err == nil:
			done = append(done, name)
		case len(done) == 0:
			return err
		default:
			return &dialects.PartialError{Applied: done, Failed: name, Left: len(ids) - i - 1, Next: "Done: " + strings.Join(done, ", "), Err: err}
		}
	}
	return nil
}

type cancelOptions struct{ targetOptions }

func cancelCommand(app *cli.App) *cobra.Command {
	var o cancelOptions
	cmd := completesTargets(app, app.Destroys(&cobra.Command{
		Use:   "cancel task|process ID|NAME...",
		Short: "Cancel tasks or processes",
		Long: `Cancels tasks, or processes with all their tasks. It asks first. Tasks that have not
started are cancelled at once. The sessions of running tasks are ended; if dbsched has
no right to end sessions, such a task becomes Cancelled when it finishes. Finished tasks
stay as they are. If one of several fails, cancel stops there (exit code 5).`,
		Example: `  dbsched cancel task 4711 4712
  dbsched cancel task "Build facts" --process "nightly load"
  dbsched cancel process "nightly load"`,
		Args: cobra.MinimumNArgs(2),
	}), dialects.UnfinishedStatuses(), dialects.OpenStatuses())
	bindProcessOfTask(app, cmd, &o.Process)
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Kind, o.IDs = args[0], args[1:]
		return &o
	})
}

// Run cancels, after asking.
func (o *cancelOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		ids, err := o.resolve(ctx, db, dialects.OpenStatuses()...)
		if err != nil {
			return err
		}
		if err := s.Confirm(ctx, fmt.Sprintf("Cancel %v on %s?", &o.targetOptions, db.Target())); err != nil {
			return err
		}
		var n cancelled
		task := func(ctx context.Context, id int64) error { return n.task(ctx, s, db, id) }
		process := func(ctx context.Context, id int64) error { return n.process(ctx, s, db, id) }
		err = o.each(ctx, ids, "cancel", task, process)
		if !s.DryRun() && (err == nil || n != cancelled{}) {
			if n.Stopping > 0 {
				warnIfNotEnded(ctx, s, db)
			}
			if s.JSON() {
				return errors.Join(err, s.One("cancel", n, nil))
			}
			s.Done("%s", n)
		}
		return err
	})
}

// cancelled counts the outcomes of tasks that were to be cancelled.
type cancelled struct {
	Now      int `json:"cancelled"`
	Stopping int `json:"stopping"` // still running; they stop
	Before   int `json:"already_ended"`
}

func (n cancelled) String() string {
	text := "Cancelled " + format.Plural(n.Now, "task")
	if n.Stopping > 0 {
		are := "are"
		if n.Stopping == 1 {
			are = "is"
		}
		text += fmt.Sprintf("; %d %s still running and will stop", n.Stopping, are)
	}
	if n.Before > 0 {
		text += fmt.Sprintf("; %d had already ended", n.Before)
	}
	return text + "."
}

// task cancels a task, and reads its status before and after.
func (n *cancelled) task(ctx context.Context, s *cli.Session, db dialects.Scheduler, id int64) error {
	before, err := db.Tasks(ctx, dialects.Filter{TaskID: id})
	if err != nil {
		return err
	}
	if err := db.CancelTask(ctx, id); err != nil || s.DryRun() {
		return err
	}
	after, err := db.Tasks(ctx, dialects.Filter{TaskID: id})
	switch {
	case len(before) > 0 && before[0].FinishedAt != nil:
		n.Before++
	case len(after) > 0 && after[0].FinishedAt == nil:
		n.Stopping++
	default:
		n.Now++
	}
	return err
}

// process cancels a process, and counts its tasks before and after.
func (n *cancelled) process(ctx context.Context, s *cli.Session, db dialects.Scheduler, id int64) error {
	p, err := process(ctx, db, id)
	if err != nil {
		return err
	}
	if err := db.CancelProcess(ctx, id); err != nil || s.DryRun() {
		return err
	}
	if p.FinishedAt != nil {
		s.Say("process %d had already ended: %s", id, p.Status)
	}
	after, err := process(ctx, db, id)
	n.Now += int(p.Unfinished - after.Unfinished)
	n.Stopping += int(after.Unfinished)
	n.Before += int(p.Succeeded + p.Failed)
	return err
}

type retryOptions struct{ targetOptions }

func retryCommand(app *cli.App) *cobra.Command {
	var o retryOptions
	cmd := completesTargets(app, app.Destroys(&cobra.Command{
		Use:   "retry task|process ID|NAME...",
		Short: "Run failed, cancelled or skipped tasks again",
		Long: `Runs tasks again that are Failed, TimedOut, Cancelled or Skipped. For a process, it runs
all such tasks, and later waves wait for them; it asks first.`,
		Example: `  dbsched retry task 4711
  dbsched retry task "Build facts" --process "nightly load"
  dbsched retry process "nightly load"`,
		Args: cobra.MinimumNArgs(2),
	}), []string{"Failed", "TimedOut", "Cancelled", "Skipped"}, []string{"Open", "Closing", "Failed", "Cancelled"})
	bindProcessOfTask(app, cmd, &o.Process)
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Kind, o.IDs = args[0], args[1:]
		return &o
	})
}

// Run lets them run again.
func (o *retryOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		ids, err := o.resolve(ctx, db, "Open", "Closing", "Failed", "Cancelled")
		if err != nil {
			return err
		}
		if o.Kind == "process" {
			if err := s.Confirm(ctx, fmt.Sprintf("Run all unsuccessful tasks of %v on %s again?", &o.targetOptions, db.Target())); err != nil {
				return err
			}
		}
		if err := o.each(ctx, ids, "retry", db.RetryTask, db.RetryProcess); err != nil {
			return err
		}
		s.Done("queued again: %v", &o.targetOptions)
		if !s.DryRun() {
			warnIfBlocked(ctx, s, db)
		}
		return nil
	})
}
