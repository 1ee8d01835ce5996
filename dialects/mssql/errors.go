package mssql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strings"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
	"github.com/dbsched/dbsched/templates"
)

// Refusal is the server's error, formatted as by sqlcmd.
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

// asServerError finds the server's error in err.
func asServerError(err error) (mssqldb.Error, bool) { return errors.AsType[mssqldb.Error](err) }

// Failed classifies a driver error that occurred while doing something.
func (s *scheduler) Failed(_ context.Context, doing string, err error) error {
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
		return &dialects.ConnectError{Target: s.Target(), Err: fmt.Errorf("the connection was lost during %s: %w", doing, err)}
	}
	return &dialects.ServerError{Doing: doing, Err: err, Hint: "The installation is not as it should be. Run dbsched verify."}
}

func (s *scheduler) connectError(err error) error {
	return s.target.connectError(err)
}

// connectError returns why a login failed and what to do.
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
	Certificate: "Add the signer's certificate to the DSN: certificate=FILE.pem. If the certificate has a different host name, add hostNameInCertificate=NAME. " +
		"TrustServerCertificate=true accepts any certificate, including an attacker's.",
}

// loginHint says what to do about a login that the server refused. The more specific error comes first, 18456 last.
func (t target) loginHint(e mssqldb.Error) string {
	for _, e := range slices.Concat(e.All, []mssqldb.Error{e}) {
		switch e.Number {
		case 4060: // cannot open database
			return fmt.Sprintf("The database %s does not exist, is offline, or has no user for this login. Check database= in the DSN. "+
				"If the user is missing, an administrator runs in that database: CREATE USER ... FOR LOGIN ...;", t.config.Database)
		case 4064: // cannot open user default database
			return "The login's default database cannot be opened. Name another database in the DSN: ?database=name."
		case 18452: // untrusted domain
			return "The server does not accept this Windows or Kerberos login: the server is not in a domain, or its domain does not trust yours. " +
				"Use a user of its domain (kinit USER@REALM) or a SQL login."
		case 18456:
			if strings.Contains(e.Message, "token-identified principal") {
				return "The Entra ID login succeeded, but the database has no user for it. An administrator runs in that database: CREATE USER [...] FROM EXTERNAL PROVIDER;"
			}
			return "The user or password is wrong, or the login is disabled. The state in the server's error log tells which. " +
				"Check the user in the DSN, the password in the DSN or DBSCHED_PASSWORD, and that the server accepts SQL logins."
		case 18470: // account is disabled
			return "The login is disabled. An administrator runs: ALTER LOGIN ... ENABLE;"
		case 18486: // locked out
			return "The login is locked after too many wrong passwords. An administrator runs: ALTER LOGIN ... WITH PASSWORD = '...' UNLOCK;"
		case 18487, 18488: // password expired; must be changed
			return "The password has expired or must be changed at first login. Run sqlcmd -S SERVER -U USER -Z NEWPASSWORD, then try again."
		case 18461: // single user mode
			return "The server is in single-user mode and in use. Try again later."
		}
	}
	return ""
}

// loginFailure reports whether number is a refused login: wrong password, database that
// cannot be opened, password that must be changed, disabled account.
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

// hint returns the next step if the error number is unambiguous.
func (s *scheduler) hint(e mssqldb.Error) string {
	switch e.Number {
	case 208, 2812: // invalid object name, could not find stored procedure
		return fmt.Sprintf("Is dbsched installed in schema %s of this database? If not: dbsched install --schema %s", s.schema, s.schema)
	case 229, 262, 297, 300, 15247:
		return "The permission is missing. A member of db_owner can grant it: ALTER ROLE " + templates.QuoteIdent(s.schema+roleFor(e.Message)) + " ADD MEMBER <your user>;"
	}
	return ""
}

// forAdmins and forReaders match objects, in the text of an error, that users have no right to.
var (
	forAdmins  = regexp.MustCompile(`'(StartScheduler|StopScheduler|Set\w+|Purge|AcknowledgeAlarms|DefineResource|DropResource|Sweep|TaskScheduler)'`)
	forReaders = regexp.MustCompile(`'(WorkerInfo|AlarmInfo)'`)
)

// roleFor returns the least role with the right that an error names.
func roleFor(message string) string {
	switch {
	case forAdmins.MatchString(message):
		return "_admin"
	case forReaders.MatchString(message):
		return "_reader"
	}
	return "_user"
}
