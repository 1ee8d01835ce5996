package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/console"
	"github.com/dbsched/dbsched/internal/web"
)

type consoleOptions struct {
	serveOptions
	Write bool
}

func consoleCommand(app *cli.App) *cobra.Command {
	var o consoleOptions
	cmd := app.Connects(&cobra.Command{
		Use:   "console",
		Short: "Serve pages for a browser",
		Long: `Serves pages: what runs, processes with their timelines, tasks, logs, schedules, resources,
alarms. They refresh by themselves. The database is read every 2 seconds while a page is
open, for all browsers together, and otherwise not at all.

The printed address contains a token. A browser that opens it has a session, which lasts a
day. With --token-file, the token comes from a file: change the file to end all sessions.

Pages are read-only unless you add --write. Then they can cancel, retry, acknowledge,
start, stop, set the number of workers, and pause, resume and run schedules, with the
rights of this command's login.

An address that other machines can reach needs --tls-cert and --tls-key. On a machine with
other users, use them and a host name of its own, too: browsers send a session's cookie to
every port of a host.`,
		Example: `  dbsched console --target prod
  dbsched console --write --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem`,
	})
	f := cmd.Flags()
	o.bind(f, "127.0.0.1:8420", "file with the token, which is then not printed (default: a random one)")
	f.BoolVar(&o.Write, "write", false, "let pages change things")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run serves until interrupted.
func (o *consoleOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	site, err := o.site()
	if err != nil {
		return false, err
	}
	opts := console.Options{Token: web.FromFile(o.TokenFile), Write: o.Write, Names: site.Named, Log: slog.New(slog.NewTextHandler(s.Err(), nil))}
	where := func(base string) string { return base + "/?token= and the token in " + o.TokenFile }
	if o.TokenFile == "" {
		token := console.NewToken()
		opts.Token, where = web.Fixed(token), func(base string) string { return base + "/?token=" + token }
	}
	s.WarnExposed()
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if _, err := db.Status(ctx); err != nil { // before a browser finds out
			return err
		}
		return serveSite(ctx, s, site, "console", where, console.New(db, opts).Handler())
	})
}
