// Package mssql is dbsched's SQL Server dialect: it connects, installs, drives and
// observes through the public procedures and views that the templates define.
package mssql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"strings"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
	"github.com/dbsched/dbsched/dialects/login"
)

// Dialect is SQL Server 2016 SP1 or later, and Azure SQL Managed Instance.
type Dialect struct{}

var (
	_ dialects.Dialect   = Dialect{}
	_ dialects.Scheduler = (*scheduler)(nil)
)

// Name returns "mssql".
func (Dialect) Name() string { return "mssql" }

// Schemes returns the one scheme that go-mssqldb accepts.
func (Dialect) Schemes() []string { return []string{"sqlserver"} }

// DefaultSchema returns "dbsched".
func (Dialect) DefaultSchema() string { return "dbsched" }

// Redact returns server, database and user of the DSN.
func (Dialect) Redact(dsn string) string {
	t, err := parseDSN(dsn)
	if err != nil {
		return "(a DSN that cannot be parsed)"
	}
	return t.String()
}

// Exposed says what a DSN without a checked certificate risks.
func (Dialect) Exposed(dsn string) string {
	t, err := parseDSN(dsn)
	if err != nil || !t.exposed() {
		return ""
	}
	return "the certificate of " + t.url.Host + " is not checked: others on the network can read the password and change the SQL. Add encrypt=true to the DSN, " +
		"and certificate=ca.pem if this machine does not trust the certificate's signer"
}

// WriteBatch writes b and a GO line, for sqlcmd.
func (Dialect) WriteBatch(w io.Writer, b dialects.Batch) error {
	_, err := fmt.Fprintf(w, "-- %s\n%s\nGO\n", b.Name, strings.TrimSpace(b.SQL))
	return err
}

// Open connects and logs in.
func (Dialect) Open(ctx context.Context, target dialects.Target) (dialects.Scheduler, error) {
	if err := checkSchema(target.Schema); err != nil {
		return nil, err
	}
	t, err := parseDSN(target.DSN)
	if err != nil {
		return nil, err
	}
	if t.needsPassword() && target.Password != nil {
		if t.config.Password, err = target.Password(ctx, dialects.Login{Name: t.String()}); err != nil {
			return nil, err
		}
	}
	connector, err := t.connector(target.Dial)
	if err != nil {
		return nil, err
	}
	s := &scheduler{vocabulary: vocabulary{target.Schema}, target: t, connector: connector}
	s.Client = client.To(target, s.pool(), s)
	if err := s.DB.PingContext(ctx); err != nil {
		s.DB.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
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

// scheduler is one schema of one database, through one connection.
type scheduler struct {
	vocabulary
	*client.Client
	target    target
	connector driver.Connector
}

// pool returns a pool of one connection. More would block each other: turning on the
// broker needs exclusive use of the database, and the sandbox's fast clock jumps only
// when every connection is blocked inside the engine.
func (s *scheduler) pool() *sql.DB {
	db := sql.OpenDB(s.connector)
	db.SetMaxOpenConns(1)
	return db
}

// needsPassword reports whether the login needs a password that the DSN does not contain.
func (t target) needsPassword() bool {
	switch {
	case t.hasPassword:
		return false
	case t.entra != "":
		return t.entraNeedsPassword()
	}
	return t.config.User != "" && t.config.Parameters[authenticator] != byKerberos // Kerberos uses a ticket or a keytab
}

// connector returns the connector for the login.
func (t target) connector(dial dialects.DialFunc) (driver.Connector, error) {
	if err := t.integrate(); err != nil {
		return nil, err
	}
	connector := mssqldb.NewConnectorConfig(t.config)
	if t.entra != "" {
		var err error
		if connector, err = t.entraConnector(); err != nil {
			return nil, err
		}
	}
	connector.Dialer = login.Dial(dial)
	return &login.Connector{Connector: connector, Timeout: t.timeout}, nil
}

// Target names server, database and user.
func (s *scheduler) Target() string { return s.target.String() }

// Schema is the schema of the installation.
func (s *scheduler) Schema() string { return s.schema }
