package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/console"
)

type consoleOptions struct {
	Listen, Cert, Key string
	Write             bool
}

func consoleCommand(app *cli.App) *cobra.Command {
	var o consoleOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "console",
		Short: "Serve pages for a browser",
		Long: `Serves pages: what runs, processes with their timelines, tasks, logs, schedules, resources,
alarms. They refresh by themselves. The database is read every 2 seconds while a page is
open, for all browsers together, and otherwise not at all.

The printed address contains a token that every page requires. Pages are read-only unless
you add --write. Then they can cancel, retry, acknowledge, start, stop, set the number of
workers, and pause, resume and run schedules, with the rights of this command's login.

An address that other machines can reach needs --tls-cert and --tls-key.`,
		Example: `  dbsched console --target prod
  dbsched console --write --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem`,
	})
	f := cmd.Flags()
	f.StringVar(&o.Listen, "listen", "127.0.0.1:8420", "address; port 0 picks a free one")
	f.BoolVar(&o.Write, "write", false, "let pages change things")
	f.StringVar(&o.Cert, "tls-cert", "", "certificate in a PEM file")
	f.StringVar(&o.Key, "tls-key", "", "its private key")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate refuses access from other machines in clear text.
func (o *consoleOptions) Validate() error {
	if (o.Cert == "") != (o.Key == "") {
		return dialects.Usagef("--tls-cert and --tls-key belong together")
	}
	if _, _, err := net.SplitHostPort(o.Listen); err != nil {
		return dialects.Usagef("--listen is %q; it must be an address and a port, such as 127.0.0.1:8420", o.Listen)
	}
	if o.Cert == "" && !console.Loopback(o.Listen) {
		return dialects.Usagef("--listen is %s, which other machines reach. Use 127.0.0.1, or add --tls-cert and --tls-key", o.Listen)
	}
	return nil
}

// Run serves until interrupted.
func (o *consoleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	opts := console.Options{Token: console.NewToken(), Write: o.Write, Names: console.LoopbackName, Log: slog.New(slog.NewTextHandler(s.Err(), nil))}
	var secure *tls.Config
	scheme := "http"
	if o.Cert != "" {
		cert, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return false, dialects.Usagef("the certificate cannot be used: %v", err)
		}
		secure, scheme = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}, "https"
		opts.Names = func(host string) bool { return cert.Leaf.VerifyHostname(host) == nil }
	}
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if _, err := db.Status(ctx); err != nil { // before a browser finds out
			return err
		}
		where := fmt.Sprintf("console: %s://%%s/?token=%s", scheme, opts.Token)
		return serveHTTP(ctx, s, o.Listen, where, secure, console.New(db, opts).Handler())
	})
}
