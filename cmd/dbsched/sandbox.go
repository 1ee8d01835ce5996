package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/web"
)

// sandboxConfig is what users can choose in both commands that start a sandbox.
type sandboxConfig struct {
	Dialect  string
	Listen   string
	Clock    string
	Seed     uint64
	Password string // empty: random
}

// sandboxServer is a running sandbox.
type sandboxServer interface {
	DSN() string
	Wait() error
	Close() error
}

// sandboxStarter starts one.
type sandboxStarter func(context.Context, sandboxConfig) (sandboxServer, error)

func (c *sandboxConfig) bind(app *cli.App, cmd *cobra.Command, clock string) {
	f := cmd.Flags()
	f.StringVar(&c.Dialect, "dialect", app.Dialects.Names()[0], "database engine to simulate")
	f.StringVar(&c.Clock, "clock", clock, "real, or fast: time jumps ahead when every session waits")
	app.Completes(cmd, "dialect", app.Dialects.Names()...)
	app.Completes(cmd, "clock", "real", "fast")
	f.Uint64Var(&c.Seed, "seed", 1, "random seed: the same seed gives the same run")
}

// Validate checks the clock.
func (c *sandboxConfig) Validate() error {
	if c.Clock != "real" && c.Clock != "fast" {
		return dialects.Usagef("--clock is %q; it must be real or fast", c.Clock)
	}
	return nil
}

type sandboxOptions struct {
	sandboxConfig
	start sandboxStarter
}

func sandboxCommand(start sandboxStarter) func(*cli.App) *cobra.Command {
	return func(app *cli.App) *cobra.Command { return newSandboxCommand(app, start) }
}

func newSandboxCommand(app *cli.App, start sandboxStarter) *cobra.Command {
	o := sandboxOptions{start: start}
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve an in-memory database engine for tests",
		Long: `Serves an in-memory model of SQL Server or Oracle until interrupted, and prints the DSN
to connect with: as sa, or as the Oracle user app, which has the grants that dbsched
needs. All data is lost when it ends. Not for production: keep it on this machine.

The password is random, or that of DBSCHED_SANDBOX_PASSWORD; on Oracle it is also that of
SYS and SYSTEM.

With --clock fast, time jumps ahead only while every client waits for an answer. A
connection between two calls, such as an idle one of a pool, makes time real.`,
		Annotations: map[string]string{"see": "[limits](limits.md)"},
	}
	o.bind(app, cmd, "real")
	cmd.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:0", "address; port 0 picks a free one")
	return app.Bind(cmd, func([]string) cli.Options { return &o })
}

// Run serves. An interrupt is the normal way to end it.
func (o *sandboxOptions) Run(ctx context.Context, s *cli.Session) (bool, error) {
	if _, err := s.Dialect(o.Dialect); err != nil {
		return false, err
	}
	if !web.Loopback(o.Listen) {
		s.Warn("other machines reach " + o.Listen + ": who knows or guesses the password is the sandbox's administrator, and nothing is encrypted. Use 127.0.0.1")
	}
	o.Password = s.Getenv("DBSCHED_SANDBOX_PASSWORD") // a flag would be in the list of processes
	server, err := o.start(ctx, o.sandboxConfig)
	if err != nil {
		return false, err
	}
	defer server.Close()
	if _, err := fmt.Fprintln(s.Out(), server.DSN()); err != nil {
		return false, err
	}
	s.Say("sandbox running, not for production. Press Ctrl-C to end it; all data is then lost")
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	select {
	case <-ctx.Done():
		return true, nil
	case err := <-ended:
		if err == nil {
			err = errors.New("the sandbox ended by itself")
		}
		return false, err
	}
}
