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

type statusOptions struct{ cli.NoFlags }

func statusCommand(app *cli.App) *cobra.Command {
	cmd := app.Connects(&cobra.Command{
		Use:   "status",
		Short: "Show whether tasks run, and how many are queued",
		Long: `Shows whether the scheduler runs or why it does not, how many workers it has, how many
tasks are running and queued, how many alarms are not acknowledged, which schedule fires
next, and the next command to run. The exit code is 1 if no task can start.`,
	})
	return app.Bind(cmd, func([]string) cli.Options { return &statusOptions{} })
}

// warnIfBlocked warns if queued tasks do not run now. It is silent if the status cannot be read.
func warnIfBlocked(ctx context.Context, s *cli.Session, db dialects.Scheduler) {
	if st, err := db.Status(ctx); err == nil {
		if text, next := st.WhyBlocked(); text != "" {
			s.Warn(fmt.Sprintf("no task starts now: %s. Run %s", text, next))
		}
	}
}

// warnIfNotEnded tells that tasks run on after their timeout or cancellation, if dbsched may not end their sessions.
func warnIfNotEnded(ctx context.Context, s *cli.Session, db dialects.Scheduler) {
	if command, err := db.EndCommand(ctx); err == nil && command != "" {
		s.Warn(dialects.NotEnded(command))
	}
}

// warnOfTimeouts does that if one of some new tasks has a timeout, its own or the default.
func warnOfTimeouts(ctx context.Context, s *cli.Session, db dialects.Scheduler, tasks []dialects.NewTask) {
	if len(tasks) == 0 {
		return
	}
	if !slices.ContainsFunc(tasks, func(t dialects.NewTask) bool { return t.Timeout > 0 }) {
		o, err := db.Options(ctx)
		if err != nil || o.DefaultTimeoutSeconds == nil || *o.DefaultTimeoutSeconds == 0 {
			return
		}
	}
	warnIfNotEnded(ctx, s, db)
}

// Run shows the status. The answer is no if no task can start.
func (o *statusOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	blocked := false
	ok, err := s.Do(ctx, func(db dialects.Scheduler) error {
		st, err := db.Status(ctx)
		if err != nil {
			return err
		}
		state, next := "started", ""
		var known *dialects.ScheduleCounts
		counts, err := db.ScheduleCounts(ctx)
		if err == nil {
			known = &counts
		} else if _, refused := errors.AsType[*dialects.ServerError](err); !refused { // show the rest
			return err
		}
		switch {
		case st.Alarms > 0:
			next = "dbsched alarms"
		case counts.Late > 0:
			next = "dbsched verify"
		case counts.Suspended > 0:
			next = "dbsched schedule list"
		}
		if text, command := st.WhyBlocked(); text != "" {
			state, next, blocked = "no task starts: "+text, command, true
		}
		lines := [][2]string{
			{"target", st.Target},
			{"schema", st.Schema},
			{"installed version", st.Version},
			{"state", state},
			{"policy", string(st.Policy)},
			{"workers", fmt.Sprintf("%d now, %d at most, %s", st.Workers, st.MaxWorkers, format.Plural(st.MaxLanes, "lane"))},
			{"tasks running", strconv.FormatInt(st.Running, 10)},
			{"tasks unfinished", strconv.FormatInt(st.Unfinished, 10)},
			{"alarms", strconv.FormatInt(st.Alarms, 10)},
		}
		if len(st.AlsoOn) > 0 {
			lines = append(lines, [2]string{"may move to", strings.Join(st.AlsoOn, ", ")})
		}
		if counts.All() > 0 {
			lines = append(lines, [2]string{"schedules", schedulesLine(s, counts)})
		}
		if next != "" {
			lines = append(lines, [2]string{"next", next})
		}
		return s.One("status", struct {
			dialects.Status
			Schedules *dialects.ScheduleCounts `json:"schedules"` // null if the server refuses to return them
		}{st, known}, lines)
	})
	return ok && !blocked, err
}

// schedulesLine counts schedules, and names the next one.
func schedulesLine(s *cli.Session, c dialects.ScheduleCounts) string {
	if c.NextAt == nil {
		return c.String()
	}
	return fmt.Sprintf("%s; next %s at %s", c, c.Next, s.Time(*c.NextAt))
}
