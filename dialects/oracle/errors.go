package oracle

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"

	"github.com/sijms/go-ora/v2/network"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
)

// Refusal is the server's error.
type Refusal struct {
	Number int    // of the first error, without sign
	Text   string // all lines: ORA-20005: ..., then where it was raised
	err    error
}

// Error returns the text as SQL*Plus shows it; for dbsched's own errors without the lines of its packages.
func (r *Refusal) Error() string { return ownStack.ReplaceAllString(r.Text, "$1") }

var ownStack = regexp.MustCompile(`(?s)^(ORA-20\d{3}: dbsched [^\n]*)(?:\nORA-06512: [^\n]*)*$`)

// Unwrap returns the driver's error.
func (r *Refusal) Unwrap() error { return r.err }

// asRefusal finds the server's error in err.
func asRefusal(err error) (*Refusal, bool) {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r, true
	}
	e, ok := errors.AsType[*network.OracleError](err)
	if !ok {
		return nil, false
	}
	// Its Error method appends a position in the driver's own words; if ErrMsg is
	// empty it fills it first.
	_ = e.Error()
	return &Refusal{Number: e.ErrCode, Text: strings.TrimSpace(e.ErrMsg), err: e}, true
}

// CompileError is a unit that was created but does not compile. Oracle then reports
// success and a warning (ORA-24344), which the driver drops.
type CompileError struct {
	Type, Name string // as in USER_ERRORS: PACKAGE BODY, DBSCHED
	Lines      []CompileLine
}

// CompileLine is one error of a unit.
type CompileLine struct {
	Line, Position int // from 1, within the unit
	Text           string
}

// Error lists all errors of the unit.
func (e *CompileError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s does not compile:", e.Type, e.Name)
	for _, l := range e.Lines {
		fmt.Fprintf(&b, "\n  line %d, column %d: %s", l.Line, l.Position, strings.TrimSpace(l.Text))
	}
	return b.String()
}

// cancelled is the error of a statement whose context has ended (ORA-01013, user requested
// cancel of current operation), or that an administrator cancels.
const cancelled = 1013

// Failed classifies a driver error that occurred while doing something.
func (s *scheduler) Failed(ctx context.Context, doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if r, ok := asRefusal(err); ok {
		switch {
		case r.Number == cancelled && ctx.Err() != nil:
			return ctx.Err()
		case loginFailure(r.Number):
			return s.connectError(err)
		case sessionLost(r.Number):
			return s.lost(doing, r)
		}
		return &dialects.ServerError{Doing: doing, Hint: s.hint(r), Err: r}
	}
	if connectionLost(err) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return s.lost(doing, err)
	}
	return &dialects.ServerError{Doing: doing, Err: err, Hint: "The installation is not as it should be. Run dbsched verify."}
}

func (s *scheduler) lost(doing string, err error) error {
	return &dialects.ConnectError{Target: s.Target(), Err: fmt.Errorf("the connection was lost while doing %s: %w", doing, err)}
}

func (s *scheduler) connectError(err error) error {
	return s.target.connectError(err)
}

// connectError returns why a login failed and what to do.
func (t target) connectError(err error) error {
	if r, ok := asRefusal(err); ok {
		return &dialects.ConnectError{Target: t.String(), Err: r, Hint: t.loginHint(r.Number)}
	}
	return &dialects.ConnectError{Target: t.String(), Err: err, Hint: login.Hint(err, words)}
}

var words = login.Words{
	Timeout: "CONNECTION TIMEOUT",
	TLS:     "SSL=true",
	Certificate: "Add a wallet that holds the signer's certificate to the DSN: WALLET=/path. SSL VERIFY=false accepts any certificate, including an " +
		"attacker's.",
}

// loginHint says what to do about a login that the listener or the database refused.
func (t target) loginHint(number int) string {
	switch number {
	case 1005:
		return "The login needs a password. Set DBSCHED_PASSWORD, or enter it at the prompt."
	case 1017:
		return "The user or password is wrong. Check the user in the DSN, and the password in the DSN, in DBSCHED_PASSWORD, or for a runner in DBSCHED_RUNNER_PASSWORD. Passwords are case-sensitive."
	case 1045:
		return "The user is not allowed to log in. An administrator runs: grant create session to " + t.user + ";"
	case 28000:
		return "The account is locked. An administrator runs: alter user " + t.user + " account unlock;"
	case 28001:
		return "The password has expired. Log in with SQL*Plus or SQLcl to change it, or an administrator runs: alter user " + t.user + " identified by ...;"
	case 28009:
		return "SYS can log in only as an administrator. Log in as the user that owns dbsched, or add DBA PRIVILEGE=SYSDBA to the DSN."
	case 28040:
		return "The database and the driver share no password protocol. Ask an administrator to check SQLNET.ALLOWED_LOGON_VERSION_SERVER and to reset the password."
	case 1033, 1034, 1035, 1109:
		return "The database is not open: it is starting, stopping or only mounted. Try again later."
	case 12505, 12514:
		return "The listener does not know this service: the name is wrong, or the database has not registered yet. " +
			"Run lsnrctl services on the host, and check the DSN: oracle://user@host:port/SERVICE, or ?SID=name for a SID."
	case 12506:
		return "The listener blocks this machine. Ask an administrator to add it to the access list."
	case 12516, 12518, 12519, 12520:
		return "The database accepts no more connections now. Try again. If it persists, ask an administrator to raise PROCESSES."
	case 12526, 12528:
		return "The database is starting or in restricted mode. Try again, or log in as a user with RESTRICTED SESSION."
	case 12541:
		return "Nothing listens on that port. Check the host and port, and run lsnrctl status on the host."
	}
	return ""
}

// loginFailure reports whether number is a refused login: wrong name or password, no
// right to connect, account locked or expired; database starting, stopping or closed; no
// such service, or none that can accept the connection.
func loginFailure(number int) bool {
	switch number {
	case 1005, 1017, 1033, 1034, 1035, 1045, 1109, 12505, 12506, 12514, 12516, 12518, 12519, 12520, 12526, 12528, 12541, 28000, 28001, 28009, 28040:
		return true
	}
	return false
}

// sessionLost reports whether the session no longer exists after this error: killed, not
// logged on, shut down, end of file, not connected, lost contact, idle for too long.
func sessionLost(number int) bool {
	switch number {
	case 28, 1012, 1089, 1092, 2396, 3113, 3114, 3135, 12537, 12547, 12570:
		return true
	}
	return false
}

func connectionLost(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

var (
	ourName    = regexp.MustCompile(`PLS-00201: identifier '(?:\w+\.)?(?:DBSCHED|DS_)`)
	sysPackage = regexp.MustCompile(`PLS-00(?:201|904): .*\bDBMS_`)
)

// hint returns the next step if the error number is unambiguous.
func (s *scheduler) hint(r *Refusal) string {
	switch {
	case r.Number == 942, r.Number == 4043, ourName.MatchString(r.Text):
		if s.schema != s.target.user {
			return fmt.Sprintf("dbsched is not installed in schema %s, or you are not allowed to use it. The owner runs: dbsched grant %s", s.schema, s.target.user)
		}
		return fmt.Sprintf("dbsched is not installed in schema %s. If it is in another one, add --schema NAME. If not: dbsched install", s.Schema())
	case r.Number == 1031, sysPackage.MatchString(r.Text):
		return fmt.Sprintf("A right is missing. It must be granted directly, not through a role. To list the rights: dbsched render --grants --dialect oracle --schema %s", s.Schema())
	}
	return ""
}
