package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
	"github.com/dbsched/dbsched/internal/textfile"
)

// Session is one run of one command.
type Session struct{ app *App }

// Schema returns the schema given by the command or its target, or the default of d.
func (s *Session) Schema(d dialects.Dialect) string {
	switch t := s.app.target; {
	case s.app.globals.schema != "":
		return s.app.globals.schema
	case t != nil && t.Schema != "":
		return t.Schema
	}
	return d.DefaultSchema()
}

// DryRun reports whether nothing may be changed.
func (s *Session) DryRun() bool { return s.app.globals.dryRun }

// Version returns the program's version.
func (s *Session) Version() string { return s.app.Version }

// Out returns where data goes.
func (s *Session) Out() io.Writer { return s.app.Out }

// Width returns the width of Out in cells, or a usual width if it is not a terminal.
func (s *Session) Width() int {
	if w := s.app.Terminal(s.app.Out); w > 0 {
		return w
	}
	return 100
}

// Getenv returns an environment variable.
func (s *Session) Getenv(name string) string { return s.app.Getenv(name) }

// In returns where replies are read from.
func (s *Session) In() io.Reader { return s.app.In }

// Interactive reports whether a person uses both ends.
func (s *Session) Interactive() bool {
	return s.app.Terminal(s.app.In) > 0 && s.app.Terminal(s.app.Out) > 0
}

// Err returns where progress and errors go.
func (s *Session) Err() io.Writer { return s.app.Err }

// JSON reports whether data is printed as JSON.
func (s *Session) JSON() bool { return s.app.globals.output == "json" }

// Dialects returns the engines.
func (s *Session) Dialects() dialects.List { return s.app.Dialects }

// Dialect resolves a dialect's name.
func (s *Session) Dialect(name string) (dialects.Dialect, error) {
	return s.app.Dialects.ByName(name)
}

// dsn returns the DSN from --dsn, the target of --target or DBSCHED_DSN: whichever is set first.
func (s *Session) dsn() (string, error) {
	g := &s.app.globals
	if g.target != "" && s.app.target == nil {
		t, err := s.named(g.target)
		if err != nil {
			return "", err
		}
		s.app.target = &t
	}
	switch {
	case g.dsn != "":
		return g.dsn, nil
	case s.app.target != nil:
		return s.app.target.DSN, nil
	}
	return s.app.Getenv("DBSCHED_DSN"), nil
}

// Wanted returns the dialect of --dialect or of the DSN; without either the first.
func (s *Session) Wanted() (dialects.Dialect, error) {
	if s.app.globals.dialect != "" {
		return s.app.Dialects.ByName(s.app.globals.dialect)
	}
	dsn, err := s.dsn()
	if err != nil {
		return nil, err
	}
	if dsn != "" {
		return s.app.Dialects.ByDSN(dsn)
	}
	return s.app.Dialects[0], nil
}

// Reach resolves the database given by --dsn, --target or DBSCHED_DSN, without connecting.
func (s *Session) Reach() (dialects.Dialect, dialects.Target, error) {
	g := &s.app.globals
	dsn, err := s.dsn()
	if err != nil {
		return nil, dialects.Target{}, err
	}
	if dsn == "" {
		return nil, dialects.Target{}, dialects.Usagef("no database given. Use --dsn or --target, or set DBSCHED_DSN")
	}
	d, err := s.app.Dialects.ByDSN(dsn)
	if err != nil {
		return nil, dialects.Target{}, err
	}
	if g.dialect != "" && g.dialect != d.Name() {
		if _, err := s.app.Dialects.ByName(g.dialect); err != nil {
			return nil, dialects.Target{}, err
		}
		return nil, dialects.Target{}, dialects.Usagef("--dialect is %s, but the DSN is for %s", g.dialect, d.Name())
	}
	return d, s.target(d, dsn), nil
}

// target returns a target for a DSN of d with the session's settings.
func (s *Session) target(d dialects.Dialect, dsn string) dialects.Target {
	t := dialects.Target{DSN: dsn, Schema: s.Schema(d), Notify: s.Step, Password: s.password}
	if s.app.globals.dryRun {
		t.DryRun = func(b dialects.Batch) {
			// If stdout fails, that is reported when the command prints its end.
			_ = d.WriteBatch(s.app.Out, b)
		}
	}
	return t
}

// Open connects to the database given by --dsn, --target or DBSCHED_DSN. The caller closes it.
func (s *Session) Open(ctx context.Context) (dialects.Scheduler, error) {
	d, t, err := s.Reach()
	if err != nil {
		return nil, err
	}
	return d.Open(ctx, t)
}

// OpenAt connects to a DSN of d.
func (s *Session) OpenAt(ctx context.Context, d dialects.Dialect, dsn string) (dialects.Scheduler, error) {
	return d.Open(ctx, s.target(d, dsn))
}

// Do opens, runs f and closes: the shape of most commands.
func (s *Session) Do(ctx context.Context, f func(dialects.Scheduler) error) (bool, error) {
	db, err := s.Open(ctx)
	if err != nil {
		return false, err
	}
	defer db.Close()
	if err := f(db); err != nil {
		return false, err
	}
	return true, nil
}

// Order sends something to the database and tells that it is done. With a question, it asks first; the target is added to it.
func (s *Session) Order(ctx context.Context, question string, send func(dialects.Scheduler) error, done string, args ...any) (bool, error) {
	return s.Do(ctx, func(db dialects.Scheduler) error {
		if question != "" {
			if err := s.Confirm(ctx, question+" on "+db.Target()+"?"); err != nil {
				return err
			}
		}
		if err := send(db); err != nil {
			return err
		}
		s.Done(done, args...)
		return nil
	})
}

// Done confirms what was done: on stderr, silent with --quiet; with --output json on stdout. It is for commands that print
// nothing else, and silent with --dry-run.
func (s *Session) Done(format string, args ...any) {
	switch {
	case s.app.globals.dryRun:
	case s.JSON():
		// If stdout fails, that is reported when the command ends.
		_ = s.printJSON("done", map[string]string{"text": fmt.Sprintf(format, args...)})
	default:
		s.Say(format, args...)
	}
}

// Warn prints a warning on stderr.
func (s *Session) Warn(text string) { s.app.tell("dbsched: warning: %s", text) }

// Confirm asks before something is destroyed, unless --yes was given. Ctrl-C ends it at once, as it does a password prompt.
func (s *Session) Confirm(ctx context.Context, question string) error {
	if s.app.globals.yes || s.app.globals.dryRun {
		return nil
	}
	if s.app.Terminal(s.app.In) == 0 {
		return dialects.Usagef("%s No terminal to confirm on. Repeat with --yes", question)
	}
	fmt.Fprintf(s.app.Err, "%s [y/N] ", format.Clean(question))
	answers := make(chan string, 1)
	go func() {
		answer, _ := bufio.NewReader(s.app.In).ReadString('\n')
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.app.Err)
		return ctx.Err()
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return nil
		}
		return errNotConfirmed
	}
}

// Say prints a line for people on stderr; silent with --quiet.
func (s *Session) Say(text string, args ...any) {
	if !s.app.globals.quiet {
		s.app.tell("%s", format.Clean(fmt.Sprintf(text, args...)))
	}
}

// Print prints lines for people on stdout.
func (s *Session) Print(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(s.app.Out, format.Clean(line))
	}
}

// ReadAll returns the text on standard input, for arguments given as "-".
func (s *Session) ReadAll() (string, error) {
	raw, err := io.ReadAll(s.app.In)
	if err != nil {
		return "", err
	}
	text, err := textfile.Decode(raw)
	return string(text), err
}
