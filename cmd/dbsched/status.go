package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
)

type statusOptions struct{ cli.NoFlags }

func statusCommand(app *cli.App) *cobra.Command {
	cmd := app.Connects(&cobra.Command{
		Use:   "status",
		Short: "Show whether tasks run, and how many are queued",
		Long: `Shows whether the scheduler runs or why it does not, how many workers it has, how many
tasks are running and queued, how many alarms are not acknowledged, and the next command
to run.`,
	})
	return app.Bind(cmd, func([]string) cli.Options { return &statusOptions{} })
}

// blocked says why no task runs, and the next command. Both are empty if tasks run.
func blocked(st dialects.Status) (text, next string) {
	switch st.Blocked {
	case "":
		return "", ""
	case dialects.Stopped:
		return "the scheduler is stopped", "dbsched start"
	case dialects.Copied:
		return "this database is a copy of " + st.CopyOf, "dbsched start --here"
	case dialects.BrokerOff:
		return "Service Broker is off in this database", "dbsched install"
	case dialects.NoWorkers:
		return "the number of workers is 0", fmt.Sprintf("dbsched workers %d", st.MaxLanes)
	case dialects.NoDispatcher:
		return "the dispatcher is overdue", "dbsched verify"
	}
	return string(st.Blocked), "dbsched verify"
}

// warnIfBlocked warns if queued tasks do not run now. It is silent if the status cannot be read.
func warnIfBlocked(ctx context.Context, s *cli.Session, db dialects.Scheduler) {
	if st, err := db.Status(ctx); err == nil {
		if text, next := blocked(st); text != "" {
			s.Warn(fmt.Sprintf("no task runs now: %s. Run %s", text, next))
		}
	}
}

// Run shows the status.
func (o *statusOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		st, err := db.Status(ctx)
		if err != nil {
			return err
		}
		state, next := "started", ""
		if st.Alarms > 0 {
			next = "dbsched alarms"
		}
		if text, command := blocked(st); text != "" {
			state, next = "no task runs: "+text, command
		}
		lines := [][2]string{
			{"target", st.Target},
			{"schema", st.Schema},
			{"installed version", st.Version},
			{"state", state},
			{"policy", string(st.Policy)},
			{"workers", fmt.Sprintf("%d now, %d at most, %s", st.Workers, st.MaxWorkers, plural(st.MaxLanes, "lane"))},
			{"tasks running", strconv.FormatInt(st.Running, 10)},
			{"tasks unfinished", strconv.FormatInt(st.Unfinished, 10)},
			{"alarms", strconv.FormatInt(st.Alarms, 10)},
		}
		if next != "" {
			lines = append(lines, [2]string{"next", next})
		}
		return s.One("status", st, lines)
	})
}
