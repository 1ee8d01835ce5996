// Package oracle is dbsched's Oracle dialect: it connects, installs, drives and observes
// through the public package and views that the templates define, and brings the driver
// that golang-migrate has not got for Oracle.
package oracle

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/login"
	"github.com/dbsched/dbsched/templates"
)

// Dialect is Oracle Database 19c or later.
type Dialect struct{}

var (
	_ dialects.Dialect   = Dialect{}
	_ dialects.Scheduler = (*scheduler)(nil)
)

// Name returns "oracle".
func (Dialect) Name() string { return "oracle" }

// Schemes returns the one scheme go-ora takes.
func (Dialect) Schemes() []string { return []string{"oracle"} }

// DefaultSchema returns nothing: dbsched lives in the schema of the user who connects.
func (Dialect) DefaultSchema() string { return "" }

// Redact returns server, service and user of the DSN.
func (Dialect) Redact(dsn string) string {
	t, err := parseDSN(dsn)
	if err != nil {
		return "(a DSN that cannot be parsed)"
	}
	return t.String()
}

// WriteBatch writes b and a line with a slash, as SQL*Plus takes it.
func (Dialect) WriteBatch(w io.Writer, b dialects.Batch) error {
	_, err := fmt.Fprintf(w, "set define off\nset sqlblanklines on\nprompt %s\n%s\n/\n", b.Name, strings.TrimSpace(b.SQL))
	return err
}

// Open connects and logs in.
func (Dialect) Open(ctx context.Context, target dialects.Target) (dialects.Scheduler, error) {
	t, err := parseDSN(target.DSN)
	if err != nil {
		return nil, err
	}
	if err := checkSchema(t.user, target.Schema); err != nil {
		return nil, err
	}
	if t, err = t.ask(ctx, target.Password, false); err != nil {
		return nil, err
	}
	s := &scheduler{target: t, dial: target.Dial, password: target.Password, dryRun: target.DryRun, notify: target.Notify, later: target.Later}
	if s.notify == nil {
		s.notify = func(string) {}
	}
	s.open = opener(t, s.dial)
	s.db = s.pool()
	if err := s.db.PingContext(ctx); err != nil {
		s.db.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, s.connectError(err)
	}
	return s, nil
}

// ask returns the target with its password, if it needs one and there is somebody to ask.
func (t target) ask(ctx context.Context, password passwordFunc, runner bool) (target, error) {
	if !t.needsPassword || password == nil {
		return t, nil
	}
	p, err := password(ctx, dialects.Login{Name: t.String(), Runner: runner})
	if err != nil {
		return target{}, err
	}
	return t.withPassword(p)
}

// passwordFunc is who knows passwords; see dialects.Target.
type passwordFunc = func(context.Context, dialects.Login) (string, error)

// opener returns what opens a pool.
func opener(t target, dial dialects.DialFunc) func() *sql.DB {
	connector := go_ora.NewConnector(t.url)
	dial = login.Dial(dial)
	if t.servers > 1 { // so that one that is dead leaves time for the others
		dial = login.Each(dial, t.timeout/time.Duration(t.servers))
	}
	connector.(*go_ora.OracleConnector).Dialer(dial)
	guarded := &login.Connector{Connector: connector, Timeout: t.timeout}
	return func() *sql.DB { return sql.OpenDB(guarded) }
}

// checkSchema refuses schemas that cannot be installed into: a user's own is the only one.
func checkSchema(user, wanted string) error {
	if err := templates.CheckOracleOwner(user); err != nil {
		return dialects.Usagef("dbsched cannot be installed for this user: %v", err)
	}
	if wanted != "" && !strings.EqualFold(wanted, user) {
		return dialects.Usagef("--schema is %q, but here dbsched lives in the schema of the user who connects, which is %s: leave --schema out, or connect as that user", wanted, user)
	}
	return nil
}

// scheduler is one schema, through one connection.
type scheduler struct {
	target   target
	db       *sql.DB
	open     func() *sql.DB    // a new pool; tests break its connections
	dial     dialects.DialFunc // nil: the network
	password passwordFunc
	dryRun   func(dialects.Batch)
	notify   func(string)
	later    fs.FS // see dialects.Target
}

// pool returns a pool of one connection. More would be in our own way: the sandbox's fast
// clock jumps only when every connection is blocked inside the engine.
func (s *scheduler) pool() *sql.DB {
	db := s.open()
	db.SetMaxOpenConns(1)
	return db
}

// Target names server, service and user.
func (s *scheduler) Target() string { return s.target.String() }

// Schema is the user who connects, in upper case.
func (s *scheduler) Schema() string { return s.target.user }

// Close ends the connection.
func (s *scheduler) Close() error { return s.db.Close() }

// object is the name of an object of ours. The names are lower case letters, digits and
// underscores, so they need no quotes; and they are not qualified, for in a schema that is
// called DBSCHED the name dbsched.dbsched would mean an element of the package.
func object(name string) string { return strings.ToLower(templates.DefaultPrefix) + name }
