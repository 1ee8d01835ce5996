package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/board"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/metrics"
)

type metricsOptions struct {
	cli.NoFlags
	Listen string
}

func metricsCommand(app *cli.App) *cobra.Command {
	var o metricsOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "metrics",
		Short: "Serve metrics for Prometheus",
		Long: `Serves metrics at /metrics until interrupted: queued tasks by status, the oldest runnable
task, attempts by outcome, retries, waits between waves, lanes, alarms. No label holds the
name of a process, a task or a user. The database is read at most every 5 seconds, and only
when Prometheus asks.`,
		Annotations: map[string]string{"see": "[monitoring](monitoring.md)"},
		Example:     "  dbsched metrics --target prod --listen 127.0.0.1:9420",
	})
	cmd.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:9420", "address; port 0 picks a free one")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run serves. An interrupt is the normal way to end it.
func (o *metricsOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		e := metrics.New(board.New(db).Read, slog.New(slog.NewTextHandler(s.Err(), nil)))
		return serveHTTP(ctx, s, o.Listen, "metrics: http://%s/metrics", nil, e.Handler())
	})
}

// serveHTTP serves HTTP until the context ends, and then lets requests finish. It prints where, with the address in the text.
// With a TLS configuration it serves HTTPS.
func serveHTTP(ctx context.Context, s *cli.Session, address, where string, secure *tls.Config, h http.Handler) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return dialects.Usagef("cannot listen on %s: %v. Choose another address with --listen", address, err)
	}
	s.Print(fmt.Sprintf(where, l.Addr()))
	if secure != nil {
		l = tls.NewListener(l, secure)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() {
		over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(over) // what is still running ends with the program
	})
	defer stop()
	if err := server.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}
