package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/certify"
	"github.com/dbsched/dbsched/internal/cli"
)

type certifyOptions struct {
	Invasive, Quick, Clean bool
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

If a run was killed, --clean removes what it left.`,
		Example: `  dbsched certify --target test
  dbsched certify --target test -o json > report.json`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{"see": "[what is assumed](live.md)"},
	}))
	f := cmd.Flags()
	f.BoolVar(&o.Invasive, "invasive", false, "also try what lies outside the scratch schema")
	f.BoolVar(&o.Quick, "quick", false, "do not measure beside a design that polls, which takes about a minute and a half")
	f.BoolVar(&o.Clean, "clean", false, "only remove what a run has left that was killed")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the combination.
func (o *certifyOptions) Validate() error {
	if o.Clean && (o.Invasive || o.Quick) {
		return dialects.Usagef("--clean removes what any run has left; leave out --invasive and --quick")
	}
	return nil
}

// Run tries everything after asking.
func (o *certifyOptions) Run(ctx context.Context, s *cli.Session) (sound bool, err error) {
	d, t, err := s.Reach()
	if err != nil {
		return false, err
	}
	t.Notify, t.Password = nil, once(t.Password)
	on := certify.On{Dialect: d, Target: t}
	question := fmt.Sprintf("Create, use and remove %s on %s?", certify.Makes(d, o.Quick), d.Redact(t.DSN))
	if o.Clean {
		question = fmt.Sprintf("Remove %s on %s?", certify.Makes(d, o.Quick), d.Redact(t.DSN))
	} else if o.Invasive {
		question = "certify also touches:\n  " + strings.Join(certify.Invades(d), "\n  ") + "\n" + question
	}
	if !o.Clean {
		if err := certify.Check(ctx, on); err != nil {
			return false, err
		}
	}
	if err := s.Confirm(ctx, question); err != nil {
		return false, err
	}
	if o.Clean {
		left, err := certify.Clean(ctx, on)
		if len(left) > 0 {
			s.Print("still there:\n  " + strings.Join(left, "\n  "))
		} else if err == nil {
			s.Done("nothing of certify is left")
		}
		return len(left) == 0, err
	}
	r, err := certify.Run(ctx, on, certify.Options{Invasive: o.Invasive, Quick: o.Quick, Version: s.Version(), Step: s.Step})
	s.EndSteps()
	if err != nil {
		return false, err
	}
	if s.JSON() {
		return r.Sound(), s.One("certify", r, nil)
	}
	return r.Sound(), r.Text(s.Out())
}
