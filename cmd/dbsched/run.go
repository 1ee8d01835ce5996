package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/plan"
)

type runOptions struct {
	File    string
	Wait    bool
	Timeout time.Duration // 0: as long as it takes
	Example bool
	plan    *plan.Plan
}

func runCommand(app *cli.App) *cobra.Command {
	var o runOptions
	cmd := app.Writes(&cobra.Command{
		Use:   "run plan.yaml",
		Short: "Run a process that a file describes",
		Long: `Checks the whole plan, then submits its process in one transaction. If the plan has
mistakes, run lists them all with line and column, and submits nothing. 'dbsched run
--example' prints a plan with every key. The SQL is in the plan, or in a UTF-8 file
named relative to the plan. 'schedule:' is for 'dbsched schedule add'; run ignores it.

With --wait, the exit code is the outcome: 0 succeeded, 1 failed or cancelled, 6 the
timeout was reached. The process continues in the server even if this program ends;
'dbsched wait' waits for it again, and 'dbsched retry process' resumes it after a failure.`,
		Example: `  dbsched run --example > plan.yaml
  dbsched run plan.yaml --dry-run
  dbsched run plan.yaml --wait --timeout 4h`,
		Annotations: map[string]string{"see": "[recipes](recipes.md)"},
		Args:        cobra.MaximumNArgs(1),
	})
	f := cmd.Flags()
	f.BoolVar(&o.Wait, "wait", false, "wait for the process to end; its outcome is the exit code")
	f.DurationVar(&o.Timeout, "timeout", 0, "with --wait: how long to wait (default: no limit)")
	f.BoolVar(&o.Example, "example", false, "print an example plan for the dialect; needs no database")
	return app.Bind(cmd, func(args []string) cli.Options {
		if len(args) == 1 {
			o.File = args[0]
		}
		return &o
	})
}

// Validate checks the flags.
func (o *runOptions) Validate() error {
	switch {
	case o.Example && o.File != "":
		return dialects.Usagef("--example needs no plan")
	case o.Example:
		return nil
	case o.File == "":
		return dialects.Usagef("no plan given. 'dbsched run --example' prints an example")
	case o.Timeout != 0 && !o.Wait:
		return dialects.Usagef("--timeout needs --wait")
	}
	return wholeSeconds("--timeout", o.Timeout)
}

// runResult is the process that was submitted, and its outcome.
type runResult struct {
	Process   int64   `json:"process_id"`
	Name      string  `json:"name"`
	Tasks     []int64 `json:"task_ids,omitempty"` // nil: another program submitted it
	Waves     []int   `json:"waves,omitempty"`    // execution orders
	Outcome   string  `json:"outcome"`            // submitted, succeeded, failed, cancelled, idle, timeout or interrupted
	Succeeded int64   `json:"tasks_succeeded"`
	Failed    int64   `json:"tasks_failed"`

	total int // tasks
}

func (r *runResult) print(s *cli.Session) error {
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	lines := [][2]string{{"process", count(r.Process)}, {"name", r.Name}}
	if r.Tasks != nil {
		lines = append(lines, [2]string{"waves", strconv.Itoa(len(r.Waves))}, [2]string{"tasks", strconv.Itoa(len(r.Tasks))})
	}
	lines = append(lines, [2]string{"succeeded", count(r.Succeeded)}, [2]string{"failed", count(r.Failed)}, [2]string{"outcome", r.Outcome})
	return s.One("run", r, lines)
}

// Run submits the plan and waits, if requested.
func (o *runOptions) Run(ctx context.Context, s *cli.Session) (verdict bool, err error) {
	if o.Example {
		d, err := s.Wanted()
		if err == nil {
			_, err = io.WriteString(s.Out(), plan.Example(d.Name()))
		}
		return err == nil, err
	}
	d, err := s.Wanted()
	if err != nil {
		return false, err
	}
	if o.plan, err = plan.Load(o.File, d); err != nil {
		return false, dialects.Usagef("%v", err)
	}
	if o.plan.Schedule.Calendar != "" {
		s.Warn("schedule: is ignored by run; use dbsched schedule add")
	}
	_, err = s.Do(ctx, func(db dialects.Scheduler) error {
		done, err := db.Submit(ctx, o.plan.Process, o.plan.Tasks)
		switch {
		case errors.Is(err, context.Canceled): // a commit is not interrupted
			return errors.New("interrupted; nothing was submitted")
		case err != nil:
			return err
		}
		warnOfTimeouts(ctx, s, db, o.plan.Tasks)
		if s.DryRun() {
			verdict = true
			return nil
		}
		r := &runResult{Process: done.ProcessID, Name: o.plan.Process.Name, Tasks: done.TaskIDs, Waves: o.plan.Waves(), Outcome: "submitted", total: len(done.TaskIDs)}
		if !o.Wait {
			warnIfBlocked(ctx, s, db)
			verdict = true
			return written(fmt.Sprintf("process %d", r.Process), r.print(s))
		}
		s.Say("process %d: %s in %s", r.Process, format.Plural(len(r.Tasks), "task"), format.Plural(len(r.Waves), "wave"))
		warnIfBlocked(ctx, s, db)
		err = follow(ctx, s, db, r, o.Timeout, false)
		s.EndSteps()
		verdict = r.Outcome == "succeeded"
		return errors.Join(err, written(fmt.Sprintf("process %d", r.Process), r.print(s)))
	})
	return verdict, err
}

// The server waits in slices: short ones if a terminal shows the progress.
const (
	watchedSlice   = time.Second
	unwatchedSlice = 5 * time.Second
)

// follow waits until the process has ended, or if idle, until it has nothing left to do, and fills in the outcome.
// Timeout 0 is no limit.
func follow(ctx context.Context, s *cli.Session, db dialects.Scheduler, r *runResult, timeout time.Duration, idle bool) error {
	left := timeout
	for {
		slice := unwatchedSlice
		if s.Watched() {
			slice = watchedSlice
		}
		if timeout != 0 {
			slice = min(slice, left)
		}
		finished, err := db.WaitProcess(ctx, r.Process, slice)
		var p dialects.Process
		if err == nil {
			p, err = process(ctx, db, r.Process)
		}
		if err != nil {
			r.Outcome = "unknown"
			if ctx.Err() != nil {
				r.Outcome = "interrupted"
				return fmt.Errorf("interrupted; process %d continues. To wait again, run 'dbsched wait %[1]d'; to end it, 'dbsched cancel process %[1]d'", r.Process)
			}
			return fmt.Errorf("the progress of process %d cannot be read, and it may continue: %w", r.Process, err)
		}
		r.Succeeded, r.Failed = p.Succeeded, p.Failed
		if finished {
			switch p.Status {
			case "Succeeded":
				r.Outcome = "succeeded"
				return nil
			case "Cancelled":
				r.Outcome = "cancelled"
				return nil
			case "Failed":
				r.Outcome = "failed"
				return failures(ctx, s, db, p)
			} // resumed, or open
			if idle && (p.Status == "Open" || p.Status == "Suspended") {
				r.Outcome = "idle"
				return nil
			}
		}
		if left -= slice; timeout != 0 && left <= 0 {
			r.Outcome = "timeout"
			return &cli.TimeoutError{Text: fmt.Sprintf("process %d did not end within %v and continues: %d of %d tasks are unfinished", r.Process, timeout, p.Unfinished, r.total)}
		}
		s.Step(progress(r, p))
	}
}

// process reads one process.
func process(ctx context.Context, db dialects.Scheduler, id int64) (dialects.Process, error) {
	all, err := db.Processes(ctx, dialects.Filter{ProcessID: id})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("process %d no longer exists, or you are not allowed to see it", id)
	}
	if err != nil {
		return dialects.Process{}, err
	}
	return all[0], nil
}

// progress returns the line that shows how far a process is.
func progress(r *runResult, p dialects.Process) string {
	total := max(r.total, int(p.Unfinished))
	done := total - int(p.Unfinished)
	line := fmt.Sprintf("%s %d of %d tasks", cli.Bar(done, total, 20), done, total)
	if p.Order != nil {
		if i := slices.Index(r.Waves, *p.Order); i >= 0 {
			line += fmt.Sprintf(", wave %d of %d (order %d)", i+1, len(r.Waves), *p.Order)
		}
	}
	return line + fmt.Sprintf(", %d running, %d failed", p.Running, p.Failed)
}

// maxFailures is how many failed attempts are listed.
const maxFailures = 10

// failures prints what went wrong.
func failures(ctx context.Context, s *cli.Session, db dialects.Scheduler, p dialects.Process) error {
	for _, outcome := range []string{"Failed", "TimedOut"} {
		attempts, err := db.Logs(ctx, dialects.Filter{ProcessID: p.ID, Limit: maxFailures, Statuses: []string{outcome}})
		if err != nil {
			return err
		}
		for _, e := range attempts {
			s.Say("%s (order %d), attempt %d: %s: %d %s", taskOf(e), e.Order, e.Attempt, outcome, e.ErrorNumber, e.ErrorMessage)
		}
	}
	s.Say("For details, run 'dbsched logs --process %d'. After you fix the cause, run 'dbsched retry process %[1]d'", p.ID)
	return nil
}
