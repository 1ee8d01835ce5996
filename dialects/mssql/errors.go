package mssql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
	"github.com/dbsched/dbsched/templates"
)

// Refusal is what the server said, worded as sqlcmd words it.
type Refusal struct{ Err mssqldb.Error }

// Error lists all messages of the batch: an error is often followed by a vaguer one
// ("See previous errors"), and the driver's own text shows only the last.
func (r *Refusal) Error() string {
	all := r.Err.All
	if len(all) == 0 {
		all = []mssqldb.Error{r.Err}
	}
	lines := make([]string, 0, len(all))
	for _, e := range all {
		line := fmt.Sprintf("Msg %d, Level %d, State %d", e.Number, e.Class, e.State)
		if e.ProcName != "" {
			line += ", Procedure " + e.ProcName
		}
		lines = append(lines, fmt.Sprintf("%s, Line %d: %s", line, e.LineNo, e.Message))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the driver's error.
func (r *Refusal) Unwrap() error { return r.Err }

// asServerError finds the server's answer in err.
func asServerError(err error) (mssqldb.Error, bool) { return errors.AsType[mssqldb.Error](err) }

// failed classifies an error of the driver that came while doing something.
func (s *scheduler) failed(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if e, ok := asServerError(err); ok && e.Number != 0 {
		if loginFailure(e.Number) {
			return s.connectError(err)
		}
		return &dialects.ServerError{Doing: doing, Hint: s.hint(e), Err: &Refusal{Err: e}}
	}
	if connectionLost(err) {
		return &dialects.ConnectError{Target: s.Target(), Err: fmt.Errorf("the connection was lost while doing %s: %w", doing, err)}
	}
	return &dialects.ServerError{Doing: doing, Err: err}
}

func (s *scheduler) connectError(err error) error {
	return s.target.connectError(err)
}

// connectError says why a login failed, and what to do.
func (t target) connectError(err error) error {
	if e, ok := asServerError(err); ok {
		return &dialects.ConnectError{Target: t.String(), Err: &Refusal{Err: e}, Hint: t.loginHint(e)}
	}
	hint := kerberosHint(err)
	if t.entra != "" {
		hint = entraHint(err)
	}
	if hint == "" {
		hint = login.Hint(err, words)
	}
	return &dialects.ConnectError{Target: t.String(), Err: err, Hint: hint}
}

var words = login.Words{
	Timeout: "connection timeout",
	TLS:     "encrypt=strict",
	Certificate: "Name the certificate of who signed it: certificate=FILE.pem in the DSN; hostNameInCertificate= is for a server that is called " +
		"otherwise; TrustServerCertificate=true takes any certificate, from anybody who is between.",
}

// loginHint says what to do about a login that the server refused. An error that says more comes first, and 18456 last.
func (t target) loginHint(e mssqldb.Error) string {
	for _, e := range slices.Concat(e.All, []mssqldb.Error{e}) {
		switch e.Number {
		case 4060: // cannot open database
			return fmt.Sprintf("The database %s is not there, or is offline, or this login is no user of it. Check database= in the DSN, "+
				"then let an administrator run there: CREATE USER ... FOR LOGIN ...;", t.config.Database)
		case 4064: // cannot open user default database
			return "The login's default database cannot be opened. Name another one in the DSN: ?database=name."
		case 18452: // untrusted domain
			return "The server does not take this Windows or Kerberos login: it is not in the domain, or does not trust yours. Log in as a user of " +
				"its domain (kinit USER@REALM), or with a SQL login in the DSN."
		case 18456:
			if strings.Contains(e.Message, "token-identified principal") {
				return "Entra ID knows you, the database does not. Let an administrator run there: CREATE USER [...] FROM EXTERNAL PROVIDER;"
			}
			return "User or password is wrong, or the login is disabled or may not connect; the server's error log tells which by the state. " +
				"Check user and password, in the DSN or in DBSCHED_PASSWORD, and that the server takes SQL logins."
		case 18470: // account is disabled
			return "The login is disabled. Let an administrator run: ALTER LOGIN ... ENABLE;"
		case 18486: // locked out
			return "The login is locked, after too many wrong passwords. Let an administrator run: ALTER LOGIN ... WITH PASSWORD = '...' UNLOCK;"
		case 18487, 18488: // password expired; must be changed
			return "The password has expired or must be changed before the first login. Change it: sqlcmd -S SERVER -U USER -Z NEWPASSWORD, then try again."
		case 18461: // single user mode
			return "The server is in single-user mode, and somebody is connected. Wait, or try when it runs as usual."
		}
	}
	return ""
}

// loginFailure tells the errors of a login that the server answered: wrong password,
// database that cannot be opened, password that must be changed, account disabled.
func loginFailure(number int32) bool {
	switch number {
	case 4060, 4064, 18450, 18451, 18452, 18456, 18458, 18459, 18461, 18470, 18486, 18487, 18488:
		return true
	}
	return false
}

func connectionLost(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	if _, ok := errors.AsType[mssqldb.ServerError](err); ok {
		return true
	}
	if _, ok := errors.AsType[mssqldb.StreamError](err); ok {
		return true
	}
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// hint says what to do next where the number leaves no doubt.
func (s *scheduler) hint(e mssqldb.Error) string {
	switch e.Number {
	case 208, 2812: // invalid object name, could not find stored procedure
		return fmt.Sprintf("Is dbsched installed in schema %s of this database? If not: dbsched install --schema %s", s.schema, s.schema)
	case 229, 262, 297, 300, 15247:
		return "The right is missing. An administrator can give it, for instance by ALTER ROLE " +
			templates.QuoteIdent(s.schema+"_admin") + " ADD MEMBER <your user>; (or _user to run tasks, _reader to look on)."
	}
	return ""
}
