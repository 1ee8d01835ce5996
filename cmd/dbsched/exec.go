package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type execOptions struct {
	taskFlags
	Process   string
	NotBefore string
	Wait      bool
}

func execCommand(app *cli.App) *cobra.Command {
	var o execOptions
	cmd := app.Writes(&cobra.Command{
		Use:   `exec "SQL"`,
		Short: "Enqueue a task",
		Long: `Enqueues a task and prints its id. With -, the SQL comes from standard input, in UTF-8
or UTF-16.

A task is one T-SQL batch (GO has no meaning), or on Oracle one SQL statement or PL/SQL
block. It starts when no unfinished task of its process has a lower order. Tasks with
the same order run in parallel. If several processes share the name in --process, the
newest unfinished one is used.

With --wait, exec shows how the task ended, with its error. The exit code is 1 unless it
succeeded. Ctrl-C ends the wait, not the task.`,
		Example: `  dbsched exec "EXEC etl.LoadCustomers" --order 100
  dbsched exec "EXEC etl.LoadCustomers" --order 100 --wait
  dbsched exec - --order 200 --process "nightly load" < build_facts.sql
  dbsched exec "begin load_customers; end;" --order 100`,
		Annotations: map[string]string{"see": "[life of a task](concepts.md#life-of-a-task), [CreateProcess](interface.md#createprocess), [create_process](interface-oracle.md#create_process)"},
		Args:        cobra.ExactArgs(1),
	})
	f := cmd.Flags()
	f.StringVar(&o.Process, "process", "", "process, by id or name (default: the default process)")
	app.CompletesFlag(cmd, "process", processNames(dialects.OpenStatuses()...))
	f.StringVar(&o.NotBefore, "not-before", "", "earliest start, such as 2026-11-20T22:00:00Z (default: at once)")
	f.StringVar(&o.Task.Name, "name", "", "what people call the task")
	f.StringVar(&o.Task.DedupKey, "dedup-key", "", "if an unfinished task has this key, return its id and enqueue nothing")
	f.BoolVar(&o.Wait, "wait", false, "wait for the task to end; its outcome is the exit code")
	o.bind(app, cmd, "execution order (required)")
	if err := cmd.MarkFlagRequired("order"); err != nil {
		panic(err) // the flag is defined above
	}
	return app.Bind(cmd, func(args []string) cli.Options {
		o.Task.SQL = args[0]
		return &o
	})
}

// Validate checks what needs no server.
func (o *execOptions) Validate() error {
	if err := o.validate(); err != nil {
		return err
	}
	var err error
	o.Task.NotBefore, err = instantFlag("not-before", o.NotBefore)
	return err
}

// instantFlag reads an instant with its offset; empty: zero.
func instantFlag(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, dialects.Usagef("--%s is %q; it must look like 2026-11-20T22:00:00Z", flag, text)
	}
	return at.UTC(), nil
}

// Run enqueues the task.
func (o *execOptions) Run(ctx context.Context, s *cli.Session) (verdict bool, err error) {
	if err := o.readSQL(s); err != nil {
		return false, err
	}
	if d, err := s.Wanted(); err == nil {
		if err := d.CheckTask(o.Task.SQL); err != nil {
			return false, err
		}
	}
	verdict = true
	_, err = s.Do(ctx, func(db dialects.Scheduler) error {
		if o.Process != "" {
			id, err := findProcess(ctx, db, o.Process)
			if err != nil {
				return err
			}
			o.Task.ProcessID = id
		}
		ids, err := db.Exec(ctx, []dialects.NewTask{o.Task})
		if err != nil {
			return err
		}
		warnOfTimeouts(ctx, s, db, []dialects.NewTask{o.Task})
		if s.DryRun() {
			return nil
		}
		warnIfBlocked(ctx, s, db)
		if o.Wait {
			verdict, err = waitForTask(ctx, s, db, ids[0])
			return err
		}
		err = s.One("task", map[string]int64{"id": ids[0]}, [][2]string{{"task", strconv.FormatInt(ids[0], 10)}})
		return written(fmt.Sprintf("task %d", ids[0]), err)
	})
	return verdict, err
}

// waitForTask waits until a task has ended, shows it, and reports whether it succeeded. The server tells when its process has no task
// left; until then the task is read every second.
func waitForTask(ctx context.Context, s *cli.Session, db dialects.Scheduler, id int64) (bool, error) {
	for {
		t, err := readTask(ctx, db, id)
		if err == nil && t.FinishedAt != nil {
			s.EndSteps()
			return t.Status == "Succeeded", t.print(s)
		}
		if err == nil {
			s.Step(fmt.Sprintf("task %d: %s", id, state(t.Task)))
			_, err = db.WaitProcess(ctx, t.ProcessID, watchedSlice)
		}
		if err != nil {
			s.EndSteps()
			if ctx.Err() != nil {
				err = errors.New("interrupted")
			}
			return false, fmt.Errorf("%w; task %d was enqueued. To see it, run 'dbsched task %[2]d'", err, id)
		}
	}
}

// written adds to an error of standard output what was sent to the server: a script must not send it again.
func written(what string, err error) error {
	if err == nil {
		return nil
	}
	return &dialects.PartialError{Applied: []string{what}, Failed: "printing the result", Next: what + " was sent and is not undone", Err: err}
}

// findProcess finds a process by id or name, and tells a schedule's name from that of its processes.
func findProcess(ctx context.Context, db dialects.Scheduler, text string) (int64, error) {
	id, err := db.FindProcess(ctx, text)
	if _, unknown := errors.AsType[*dialects.UsageError](err); !unknown || text == "" {
		return id, err
	}
	all, failed := db.Firings(ctx, text, 100)
	for _, f := range slices.Backward(all) {
		if failed == nil && f.ProcessID != 0 {
			return 0, dialects.Usagef("%q is a schedule. Its last process is %d", text, f.ProcessID)
		}
	}
	return 0, err
}
