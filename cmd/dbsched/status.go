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
	cmd := app.Connects(&cobra.Command{Use: "status", Short: "Show whether the scheduler runs, and how much work it has"})
	return app.Bind(cmd, func([]string) cli.Options { return &statusOptions{} })
}

// Run shows the status.
func (o *statusOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		st, err := db.Status(ctx)
		if err != nil {
			return err
		}
		state := "stopped"
		if st.Started {
			state = "started"
		}
		if st.CopyOf != "" {
			state = "a copy of " + st.CopyOf + ": nothing runs until dbsched start --here"
		}
		return s.One("status", st, [][2]string{
			{"target", st.Target},
			{"schema", st.Schema},
			{"installed version", st.Version},
			{"state", state},
			{"policy", string(st.Policy)},
			{"workers", fmt.Sprintf("%d now, %d at most, %s", st.Workers, st.MaxWorkers, plural(st.MaxLanes, "lane"))},
			{"tasks running", strconv.FormatInt(st.Running, 10)},
			{"tasks unfinished", strconv.FormatInt(st.Unfinished, 10)},
		})
	})
}
