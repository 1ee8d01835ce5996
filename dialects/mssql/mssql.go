// Package mssql is dbsched's SQL Server dialect: it connects, installs, drives and
// observes through the public procedures and views that the templates define.
package mssql

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"strings"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
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

// Schemes returns the one scheme go-mssqldb takes.
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

// WriteBatch writes b and a GO line, as sqlcmd takes it.
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
	s := &scheduler{target: t, schema: target.Schema, dial: target.Dial, dryRun: target.DryRun, notify: target.Notify, later: target.Later}
	if s.notify == nil {
		s.notify = func(string) {}
	}
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

// scheduler is one schema of one database, through one connection.
type scheduler struct {
	target target
	schema string
	db     *sql.DB
	dial   dialects.DialFunc // nil: the network
	dryRun func(dialects.Batch)
	notify func(string)
	later  fs.FS // see dialects.Target
}

// pool returns a pool of one connection. More would be in our own way: switching the
// broker on needs the database to itself, and the sandbox's fast clock jumps only when
// every connection is blocked inside the engine.
func (s *scheduler) pool() *sql.DB {
	connector := mssqldb.NewConnectorConfig(s.target.config)
	var db *sql.DB
	if s.dial != nil {
		connector.Dialer = s.dial
		db = sql.OpenDB(connector)
	} else {
		connector.Dialer = &login.Dialer{}
		db = sql.OpenDB(login.Connector(connector, s.target.limit))
	}
	db.SetMaxOpenConns(1)
	return db
}

// Target names server, database and user.
func (s *scheduler) Target() string { return s.target.String() }

// Schema is the schema of the installation.
func (s *scheduler) Schema() string { return s.schema }

// Close ends the connection.
func (s *scheduler) Close() error { return s.db.Close() }
