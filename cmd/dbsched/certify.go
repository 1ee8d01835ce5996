package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/certify"
	"github.com/dbsched/dbsched/internal/cli"
)

type certifyOptions struct {
	Invasive, Quick, Clean, Apart bool
	HTML                          string
	schema                        bool // --schema was given
}

func certifyCommand(app *cli.App) *cobra.Command {
	var o certifyOptions
	cmd := app.Asks(app.Connects(&cobra.Command{
		Use:   "certify",
		Short: "Try on your server what dbsched assumes of it",
		Long: `Tries on your server every assumption that dbsched makes of the engine, and prints what it
saw and what that means. It works in a scratch installation, asks before it writes, removes
everything it made, and takes less than five minutes. Use a test database.

Without --invasive it touches only the scratch schema and its own sessions. With --invasive
it also tries what lies outside, such as users; the question lists it.

At the end it measures how fast tasks are, beside a published design that polls. --quick
leaves that out.

The report names no user, database or host, and shows no SQL of yours. The exit code is 1
if dbsched cannot work with something it saw.

On Oracle it needs 18 job processes (JOB_QUEUE_PROCESSES) to try everything at its usual
pace. Before 19.8 a killed job keeps its process, so --invasive needs three more.

If a run was killed, --clean, run by the same user, removes what it left. Beside a run that
has not ended it refuses.`,
		Example: `  dbsched certify --target test
  dbsched certify --target test --html report.html -o json > report.json`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{"see": "[what is assumed](live.md)"},
	}))
	f := cmd.Flags()
	f.BoolVar(&o.Invasive, "invasive", false, "also try what lies outside the scratch schema")
	f.BoolVar(&o.Apart, "database", false, "SQL Server: work in a database of its own, dbsched_certify, created and dropped")
	f.BoolVar(&o.Quick, "quick", false, "do not measure beside a design that polls, which takes about a minute and a half")
	f.StringVar(&o.HTML, "html", "", "also write the report as a page to this file")
	f.BoolVar(&o.Clean, "clean", false, "only remove what a run has left that was killed")
	return app.Bind(cmd, func([]string) cli.Options {
		o.schema = cmd.Flags().Changed("schema")
		return &o
	})
}

// Validate checks the combination.
func (o *certifyOptions) Validate() error {
	if o.schema {
		return dialects.Usagef("--schema: certify makes an installation of its own, on SQL Server in schema dbsched_certify and on Oracle in that of the connecting user; leave the flag out")
	}
	if o.Clean && (o.Invasive || o.Quick || o.HTML != "") {
		return dialects.Usagef("--clean only removes what a run has left; leave out the other flags")
	}
	return nil
}

// create creates the file for the page before anything is tried, which takes long.
func (o *certifyOptions) create() (*os.File, error) {
	f, err := os.Create(cmp.Or(o.HTML, os.DevNull))
	if err != nil {
		return nil, dialects.Usagef("the page cannot be written: %v", err)
	}
	return f, nil
}

// Run tries everything after asking.
func (o *certifyOptions) Run(ctx context.Context, s *cli.Session) (sound bool, err error) {
	d, t, err := s.Reach()
	if err != nil {
		return false, err
	}
	t.Notify, t.Password = nil, once(t.Password)
	on := certify.On{Dialect: d, Target: t}
	if o.Clean {
		return o.clean(ctx, s, on)
	}
	makes := certify.Makes(d, o.Quick)
	if o.Apart {
		makes = "the database dbsched_certify"
	} else if err := certify.Check(ctx, on); err != nil {
		return false, err
	}
	question := fmt.Sprintf("Create, use and remove %s on %s?", makes, d.Redact(t.DSN))
	if o.Invasive {
		question = "certify also touches:\n  " + strings.Join(certify.Invades(d), "\n  ") + "\n" + question
	}
	if err := s.Confirm(ctx, question); err != nil {
		return false, err
	}
	file, err := o.create()
	if err != nil {
		return false, err
	}
	defer file.Close()
	run := certify.Run
	if o.Apart {
		run = certify.RunApart
	}
	r, err := run(ctx, on, certify.Options{Invasive: o.Invasive, Quick: o.Quick, Version: s.Version(), Step: s.Step})
	s.EndSteps()
	if err != nil {
		return false, err
	}
	if err := errors.Join(r.HTML(file), file.Close()); err != nil {
		return false, err
	}
	if s.JSON() {
		return r.Sound(), s.One("certify", r, nil)
	}
	return r.Sound(), r.Text(s.Out())
}

// clean removes what a run has left that was killed, after asking.
func (o *certifyOptions) clean(ctx context.Context, s *cli.Session, on certify.On) (bool, error) {
	makes := certify.Makes(on.Dialect, false)
	if o.Apart {
		makes = "the database dbsched_certify"
	}
	if err := s.Confirm(ctx, fmt.Sprintf("Remove %s, as far as certify made them, on %s?", makes, on.Dialect.Redact(on.Target.DSN))); err != nil {
		return false, err
	}
	var left []string
	var err error
	if o.Apart {
		left, err = certify.CleanApart(ctx, on)
	} else {
		left, err = certify.Clean(ctx, on)
	}
	if len(left) > 0 {
		s.Print("still there:\n  " + strings.Join(left, "\n  "))
	}
	if err != nil || len(left) > 0 {
		return false, err
	}
	unseen, err := certify.Unseen(ctx, on)
	if err != nil {
		return false, err
	}
	for _, what := range unseen {
		s.Warn("this login may not see " + what + ". If --invasive was tried, clean as the same login, or as a sysadmin")
	}
	s.Done("nothing of certify is left")
	return true, nil
}
