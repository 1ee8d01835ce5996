package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/format"
)

// Variables that hold passwords not contained in a DSN.
const (
	passwordVariable = "DBSCHED_PASSWORD"
	runnerVariable   = "DBSCHED_RUNNER_PASSWORD"
)

// password returns the password of a login whose DSN has none: from the environment, or from a prompt.
func (s *Session) password(ctx context.Context, l dialects.Login) (string, error) {
	name := passwordVariable
	if l.Runner {
		name = runnerVariable // for a different user
	}
	if p := s.app.Getenv(name); p != "" {
		return p, nil
	}
	if s.app.Terminal(s.app.In) == 0 {
		return "", dialects.Usagef("the login to %s needs a password, and there is no terminal to prompt on. Set %s", l.Name, name)
	}
	fmt.Fprintf(s.app.Err, "Password for %s: ", format.Clean(l.Name))
	p, err := s.app.Secret(ctx)
	fmt.Fprintln(s.app.Err) // Enter is not echoed
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, io.EOF):
		return "", dialects.Usagef("no password was entered")
	case err != nil:
		return "", dialects.Usagef("no password was entered: %v", err)
	}
	return strings.TrimRight(p, "\r\n"), nil
}

// secret reads a line from the terminal without showing it. Ctrl-C ends it at once: the signal ends the context, not the read.
func secret(ctx context.Context, in *os.File) (string, error) {
	fd := int(in.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	type line struct {
		text []byte
		err  error
	}
	lines := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		lines <- line{text, err}
	}()
	select {
	case l := <-lines:
		return string(l.text), l.err
	case <-ctx.Done():
		_ = term.Restore(fd, before) // otherwise the shell would echo nothing
		return "", ctx.Err()
	}
}
