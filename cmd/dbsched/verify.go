package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/format"
)

type verifyOptions struct {
	Fix   bool
	Probe time.Duration
}

func verifyCommand(app *cli.App) *cobra.Command {
	var o verifyOptions
	cmd := app.Destroys(&cobra.Command{
		Use:     "verify",
		Aliases: []string{"doctor"},
		Short:   "Check the installation, and that tasks run",
		Long: `Checks the server, the objects, message delivery, rights and queued work. Each check
prints OK, INFO, WARN or FAIL, what it means, and the statement or command that repairs
it. Then a probe task runs and is removed. verify never starts a stopped scheduler. The
exit code is 1 if a check fails.

With --fix, verify lists the safe repairs, asks, and applies them. It never replaces an
object that was altered: 'dbsched install' does that.`,
		Annotations: map[string]string{"see": "[what verify checks](verify.md)"},
	})
	f := cmd.Flags()
	f.BoolVar(&o.Fix, "fix", false, "apply the safe repairs after asking")
	f.DurationVar(&o.Probe, "probe-timeout", 30*time.Second, "how long the probe task can take; 0 skips it")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Validate checks the time.
func (o *verifyOptions) Validate() error {
	if o.Probe < 0 {
		return dialects.Usagef("--probe-timeout is %v; it must be 0 or more", o.Probe)
	}
	return nil
}

// Run applies repairs if --fix says so, and checks.
func (o *verifyOptions) Run(ctx context.Context, s *cli.Session) (sound bool, err error) {
	db, err := s.Open(ctx)
	if err != nil {
		return false, err
	}
	defer db.Close()
	if o.Fix {
		if err := fix(ctx, s, db); err != nil {
			return false, err
		}
	}
	opts := dialects.VerifyOptions{ProbeTimeout: o.Probe}
	if s.DryRun() {
		opts.ProbeTimeout = 0
	}
	if !s.JSON() {
		opts.Report = func(c dialects.Check) { s.Print(checkText(c)) }
	}
	checks, err := db.Verify(ctx, opts)
	if err != nil {
		return false, err
	}
	counts := map[dialects.Level]int{}
	for _, c := range checks {
		counts[c.Level]++
	}
	if s.JSON() {
		err = s.One("verify", checks, nil)
	} else {
		s.Print(fmt.Sprintf("%s: %d OK, %d INFO, %d WARN, %d FAIL", db.Target(), counts[dialects.OK], counts[dialects.Info], counts[dialects.Warn], counts[dialects.Fail]))
	}
	return counts[dialects.Fail] == 0, err
}

// fix shows the safe repairs, asks, and applies them.
func fix(ctx context.Context, s *cli.Session, db dialects.Scheduler) error {
	checks, err := db.Verify(ctx, dialects.VerifyOptions{})
	if err != nil {
		return err
	}
	var safe []dialects.Check
	for _, c := range checks {
		if c.Safe && c.Level != dialects.OK {
			safe = append(safe, c)
			s.Say("%s: %s", c.Name, c.Text)
			s.Say("    %s", c.Remedy)
		}
	}
	if len(safe) == 0 {
		s.Say("nothing that --fix can repair")
		return nil
	}
	if err := s.Confirm(ctx, fmt.Sprintf("Apply %s?", format.Plural(len(safe), "repair"))); err != nil {
		return err
	}
	for _, c := range safe {
		if err := db.Mend(ctx, c); err != nil {
			return err
		}
		s.Say("repaired: %s", c.Name)
	}
	return nil
}

// checkText formats a check for people: a line, and below it what it means and what to do, if something is wrong.
func checkText(c dialects.Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-4s  %s: %s", c.Level, c.Name, c.Text)
	for _, more := range []string{c.Means, c.Remedy, head(c.Diff)} {
		if more != "" {
			b.WriteString("\n      " + strings.ReplaceAll(strings.TrimRight(more, "\n"), "\n", "\n      "))
		}
	}
	return b.String()
}

// head returns the beginning of a diff that is longer than a screen.
func head(diff string) string {
	const most = 40
	lines := strings.SplitAfter(diff, "\n")
	if len(lines) <= most {
		return diff
	}
	return fmt.Sprintf("%s… %d more lines: dbsched verify -o json\n", strings.Join(lines[:most], ""), len(lines)-most)
}
