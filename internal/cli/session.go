package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/textfile"
)

// Session is one run of one command.
type Session struct{ app *App }

// Schema is the schema the command names, or where d is installed when nobody says
// otherwise.
func (s *Session) Schema(d dialects.Dialect) string {
	if s.app.globals.schema == "" {
		return d.DefaultSchema()
	}
	return s.app.globals.schema
}

// DryRun tells whether nothing may be changed.
func (s *Session) DryRun() bool { return s.app.globals.dryRun }

// Version is the program's version.
func (s *Session) Version() string { return s.app.Version }

// Out is where data goes.
func (s *Session) Out() io.Writer { return s.app.Out }

// JSON tells whether data goes out as JSON.
func (s *Session) JSON() bool { return s.app.globals.output == "json" }

// Dialect resolves a dialect's name.
func (s *Session) Dialect(name string) (dialects.Dialect, error) {
	return s.app.Dialects.ByName(name)
}

// dsn is what --dsn or DBSCHED_DSN holds.
func (s *Session) dsn() string {
	if s.app.globals.dsn != "" {
		return s.app.globals.dsn
	}
	return s.app.Getenv("DBSCHED_DSN")
}

// Wanted is the dialect that --dialect names, or the DSN; without either the first.
func (s *Session) Wanted() (dialects.Dialect, error) {
	switch dsn := s.dsn(); {
	case s.app.globals.dialect != "":
		return s.app.Dialects.ByName(s.app.globals.dialect)
	case dsn != "":
		return s.app.Dialects.ByDSN(dsn)
	}
	return s.app.Dialects[0], nil
}

// Open connects to where --dsn or DBSCHED_DSN points. The caller closes.
func (s *Session) Open(ctx context.Context) (dialects.Scheduler, error) {
	g, dsn := &s.app.globals, s.dsn()
	if dsn == "" {
		return nil, dialects.Usagef("no database given: use --dsn or set DBSCHED_DSN")
	}
	d, err := s.app.Dialects.ByDSN(dsn)
	if err != nil {
		return nil, err
	}
	if g.dialect != "" && g.dialect != d.Name() {
		if _, err := s.app.Dialects.ByName(g.dialect); err != nil {
			return nil, err
		}
		return nil, dialects.Usagef("--dialect is %s, but the DSN is one of %s", g.dialect, d.Name())
	}
	if dsn, err = s.withPassword(d, dsn); err != nil {
		return nil, err
	}
	return s.OpenAt(ctx, d, dsn)
}

// otherLogin finds the options of logins that bring their secret along, or need none.
var otherLogin = regexp.MustCompile(`(?i)wallet|password|pwd|fedauth|authenticator|krb5|auth[ +]type`)

// withPassword adds the password to a DSN that names a user without one: that of DBSCHED_PASSWORD, or what is typed. A DSN that
// cannot be parsed stays as it is, for the dialect knows better what to say of it.
func (s *Session) withPassword(d dialects.Dialect, dsn string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.User.Username() == "" {
		return dsn, nil //nolint:nilerr // see above
	}
	if _, there := u.User.Password(); there || otherLogin.MatchString(u.RawQuery) {
		return dsn, nil
	}
	secret := s.app.Getenv("DBSCHED_PASSWORD")
	if secret == "" {
		if s.app.Terminal(s.app.In) == 0 {
			return "", dialects.Usagef("no password for %s: set DBSCHED_PASSWORD, or put it into the DSN", d.Redact(dsn))
		}
		fmt.Fprintf(s.app.Err, "Password for %s: ", d.Redact(dsn))
		secret, err = s.app.Password()
		fmt.Fprintln(s.app.Err)
		if err != nil {
			return "", dialects.Usagef("the password cannot be read: %v", err)
		}
	}
	u.User = url.UserPassword(u.User.Username(), secret)
	return u.String(), nil
}

// OpenAt connects to a DSN of d.
func (s *Session) OpenAt(ctx context.Context, d dialects.Dialect, dsn string) (dialects.Scheduler, error) {
	t := dialects.Target{DSN: dsn, Schema: s.Schema(d), Notify: s.Step}
	if s.app.globals.dryRun {
		t.DryRun = func(b dialects.Batch) {
			// A failing stdout shows when the command prints its end.
			_ = d.WriteBatch(s.app.Out, b)
		}
	}
	return d.Open(ctx, t)
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

// Done confirms what was done: on stderr, silent with --quiet; with --output json on stdout. It is for commands that print
// nothing else, and silent with --dry-run.
func (s *Session) Done(format string, args ...any) {
	switch {
	case s.app.globals.dryRun:
	case s.JSON():
		// A failing stdout shows when the command ends.
		_ = s.printJSON("done", map[string]string{"text": fmt.Sprintf(format, args...)})
	case !s.app.globals.quiet:
		fmt.Fprintf(s.app.Err, format+"\n", args...)
	}
}

// Warn tells on stderr what should be known.
func (s *Session) Warn(text string) { fmt.Fprintf(s.app.Err, "dbsched: warning: %s\n", text) }

// Confirm asks before something is destroyed: a person when there is one, --yes else.
func (s *Session) Confirm(question string) error {
	if s.app.globals.yes || s.app.globals.dryRun {
		return nil
	}
	if s.app.Terminal(s.app.In) == 0 {
		return dialects.Usagef("%s No terminal to confirm on. Repeat with --yes", question)
	}
	fmt.Fprintf(s.app.Err, "%s [y/N] ", question)
	answer, err := bufio.NewReader(s.app.In).ReadString('\n')
	if err != nil && answer == "" {
		return dialects.Usagef("not confirmed; nothing was changed")
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return dialects.Usagef("not confirmed; nothing was changed")
}

// Say prints a line for people on stderr; silent with --quiet.
func (s *Session) Say(format string, args ...any) {
	if !s.app.globals.quiet {
		fmt.Fprintln(s.app.Err, clean(fmt.Sprintf(format, args...)))
	}
}

// Print prints lines for people on stdout.
func (s *Session) Print(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(s.app.Out, clean(line))
	}
}

// ReadAll returns what stands on standard input, for arguments given as "-".
func (s *Session) ReadAll() (string, error) {
	raw, err := io.ReadAll(s.app.In)
	if err != nil {
		return "", err
	}
	text, err := textfile.Decode(raw)
	return string(text), err
}
