package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/metrics"
	"github.com/dbsched/dbsched/internal/snapshot"
	"github.com/dbsched/dbsched/internal/web"
)

type metricsOptions struct {
	serveOptions
}

func metricsCommand(app *cli.App) *cobra.Command {
	var o metricsOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "metrics",
		Short: "Serve metrics for Prometheus",
		Long: `Serves metrics at /metrics until interrupted: queued tasks by status, the oldest runnable
task, attempts by outcome, retries, waits between waves, lanes, alarms. No label holds the
name of a process, a task or a user. The database is read at most every 5 seconds, and only
when Prometheus asks.

An address that other machines can reach needs --tls-cert and --tls-key. With --token-file,
Prometheus must send the token: authorization, credentials_file.`,
		Annotations: map[string]string{"see": "[monitoring](monitoring.md)"},
		Example:     "  dbsched metrics --target prod --listen 127.0.0.1:9420",
	})
	o.bind(cmd.Flags(), "127.0.0.1:9420", "file with a token that every request must have (default: none)")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run serves. An interrupt is the normal way to end it.
func (o *metricsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	site, err := o.site()
	if err != nil {
		return false, err
	}
	s.WarnExposed()
	return s.Do(ctx, func(db dialects.Scheduler) error {
		guard := &web.Guard{Names: site.Named, Log: slog.New(slog.NewTextHandler(s.Err(), nil))}
		h := metrics.New(snapshot.New(db).Read, guard.Log).Handler()
		if o.TokenFile != "" {
			h = guard.Bearer(web.FromFile(o.TokenFile), h)
		}
		return serveSite(ctx, s, site, "metrics", func(base string) string { return base + "/metrics" }, guard.Host(h))
	})
}
