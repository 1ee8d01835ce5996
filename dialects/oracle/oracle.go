// Package oracle is dbsched's Oracle dialect: it connects, installs, drives and observes
// through the public package and views that the templates define, and provides the Oracle
// driver that golang-migrate lacks.
package oracle

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
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

// Schemes returns the one scheme that go-ora accepts.
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

// Exposed says what a DSN without TLS risks.
func (Dialect) Exposed(dsn string) string {
	t, err := parseDSN(dsn)
	if err != nil || !t.exposed {
		return ""
	}
	return "the connection to " + t.String() + " is not protected by TLS with a checked certificate: others on the network can read and change the SQL. " +
		"Use a TCPS port and add SSL=true to the DSN"
}

// WriteBatch writes b and a line with a slash, for SQL*Plus.
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
	schema, err := checkSchema(t.user, target.Schema)
	if err != nil {
		return nil, err
	}
	if t, err = t.ask(ctx, target.Password, false); err != nil {
		return nil, err
	}
	s := &scheduler{target: t, schema: schema, dial: target.Dial, password: target.Password}
	s.open = opener(t, s.dial, s.currentSchema())
	s.Client = client.To(target, s.pool(), s)
	if err := s.DB.PingContext(ctx); err != nil {
		s.DB.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if refusal, ok := asRefusal(err); ok && refusal.Number == 1435 { // user does not exist
			return nil, dialects.Usagef("--schema is %q, but this database has no such user", target.Schema)
		}
		return nil, s.connectError(err)
	}
	return s, nil
}

// OpenDB connects as Open does.
func (d Dialect) OpenDB(ctx context.Context, target dialects.Target) (*sql.DB, error) {
	s, err := d.Open(ctx, target)
	if err != nil {
		return nil, err
	}
	return s.(*scheduler).DB, nil
}

// ask returns the target with its password, if it needs one and can ask for it.
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

// passwordFunc returns passwords; see dialects.Target.
type passwordFunc = func(context.Context, dialects.Login) (string, error)

// opener returns a function that opens a pool; begin, if any, is the first statement of each connection.
func opener(t target, dial dialects.DialFunc, begin string) func() *sql.DB {
	connector := go_ora.NewConnector(t.url)
	dial = login.Dial(dial)
	if t.servers > 1 { // so that a dead one leaves time for the others
		dial = login.Each(dial, t.timeout/time.Duration(t.servers))
	}
	connector.(*go_ora.OracleConnector).Dialer(dial)
	if begin != "" {
		connector = beginning{connector, begin}
	}
	guarded := &login.Connector{Connector: connector, Timeout: t.timeout}
	return func() *sql.DB { return sql.OpenDB(guarded) }
}

// beginning connects and runs a statement.
type beginning struct {
	driver.Connector
	statement string
}

// Connect connects.
func (b beginning) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := b.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, b.statement, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// checkSchema returns the wanted schema: the user's own, or another one that the user may have been granted.
func checkSchema(user, wanted string) (string, error) {
	schema := user
	if wanted != "" {
		schema = strings.ToUpper(wanted)
	}
	if err := templates.CheckOracleOwner(schema); err != nil {
		return "", dialects.Usagef("dbsched cannot use this schema: %v", err)
	}
	return schema, nil
}

// currentSchema returns the statement that makes unqualified names refer to the schema; empty if they already do.
func (s *scheduler) currentSchema() string {
	if s.schema == s.target.user {
		return ""
	}
	return "alter session set current_schema = " + s.schema
}

// mustOwn refuses what only the owner of the schema can do.
func (s *scheduler) mustOwn(what string) error {
	if s.schema == s.target.user {
		return nil
	}
	return dialects.Usagef("only the owner of schema %s can %s, but you connected as %s. Connect as %[1]s", s.schema, what, s.target.user)
}

// scheduler is one schema, through one connection.
type scheduler struct {
	vocabulary
	*client.Client
	target   target
	schema   string            // in upper case
	open     func() *sql.DB    // a new pool; tests break its connections
	dial     dialects.DialFunc // nil: the network
	password passwordFunc
}

// pool returns a pool of one connection. More would block each other: the sandbox's fast clock
// jumps only when every connection is blocked inside the engine.
func (s *scheduler) pool() *sql.DB {
	db := s.open()
	db.SetMaxOpenConns(1)
	return db
}

// Target names server, service and user.
func (s *scheduler) Target() string { return s.target.String() }

// Schema is the schema of the installation, in upper case.
func (s *scheduler) Schema() string { return s.schema }

// object returns the name of a dbsched object. The names are lower case letters, digits and
// underscores, so they need no quotes; and they are not qualified, because in a schema named
// DBSCHED, dbsched.dbsched would mean an element of the package.
func object(name string) string { return strings.ToLower(templates.DefaultPrefix) + name }
