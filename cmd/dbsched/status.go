package main

import (
	"context"
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
		if st.Lanes == nil {
			st.Lanes = []dialects.Lane{}
		}
		return s.One("status", st, [][2]string{
			{"target", st.Target},
			{"schema", st.Schema},
			{"installed version", st.Version},
			{"state", st.State},
			{"policy", string(st.Policy)},
			{"workers", strconv.Itoa(st.MaxWorkers) + " of " + plural(st.MaxLanes, "lane")},
			{"busy lanes", strconv.Itoa(st.Busy)},
			{"tasks running", strconv.FormatInt(st.Running, 10)},
			{"tasks pending", strconv.FormatInt(st.Pending, 10)},
			{"tasks waiting", strconv.FormatInt(st.Waiting, 10)},
			{"unfinished processes", strconv.FormatInt(st.Processes, 10)},
		})
	})
}
