// Package migratedriver holds what the golang-migrate drivers of all dialects have in common: one session, a lock, a version table.
package migratedriver

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"sync/atomic"

	"github.com/golang-migrate/migrate/v4/database"
)

// Engine is what a driver needs from its engine.
type Engine struct {
	Lock, Unlock func() error              // keep other migrations out; let them in again
	Run          func(script string) error // runs a migration

	Version string // query: version and dirty
	Delete  string // statement: empties the version table, in a transaction
	Insert  string // statement: binds version and dirty, 0 or 1
	Drop    string // statement: drops everything
}

// Driver is a golang-migrate driver in one session. Engine-specific parts are in a driver around it.
type Driver struct {
	engine Engine
	db     *sql.DB
	conn   *sql.Conn       // the lock belongs to the session
	ctx    context.Context // golang-migrate's interface has no context
	locked atomic.Bool
}

// New returns a driver on db, and closes db with itself. engine is called once, with the driver's session.
func New(ctx context.Context, db *sql.DB, engine func(*sql.Conn) (Engine, error)) (*Driver, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	e, err := engine(conn)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &Driver{engine: e, db: db, conn: conn, ctx: ctx}, nil
}

// Close ends the session and closes the pool.
func (d *Driver) Close() error { return errors.Join(d.conn.Close(), d.db.Close()) }

// Lock takes a lock that no other driver of this schema and version table can hold at the same time. It fails with
// database.ErrLocked if this driver has it.
func (d *Driver) Lock() error {
	return database.CasRestoreOnErr(&d.locked, false, true, database.ErrLocked, d.engine.Lock)
}

// Unlock releases the lock.
func (d *Driver) Unlock() error {
	return database.CasRestoreOnErr(&d.locked, true, false, database.ErrNotLocked, d.engine.Unlock)
}

// Run runs a migration.
func (d *Driver) Run(migration io.Reader) error {
	script, err := io.ReadAll(migration)
	if err != nil {
		return err
	}
	return d.engine.Run(string(script))
}

// SetVersion replaces the row of the version table in one transaction: if the session ends, the old one stays.
func (d *Driver) SetVersion(version int, dirty bool) error {
	// Without ctx: its end would close the connection before the rollback.
	tx, err := d.conn.BeginTx(context.WithoutCancel(d.ctx), nil)
	if err != nil {
		return &database.Error{OrigErr: err, Err: "transaction start failed"}
	}
	set := func(query string, args ...any) error {
		if _, err := tx.ExecContext(d.ctx, query, args...); err != nil {
			return &database.Error{OrigErr: errors.Join(err, tx.Rollback()), Query: []byte(query)}
		}
		return nil
	}
	if err := set(d.engine.Delete); err != nil {
		return err
	}
	// Also for a down migration of the first version that failed
	// (https://github.com/golang-migrate/migrate/issues/330).
	if version >= 0 || dirty {
		flag := 0
		if dirty {
			flag = 1
		}
		if err := set(d.engine.Insert, version, flag); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return &database.Error{OrigErr: err, Err: "transaction commit failed"}
	}
	return nil
}

// Version reads the version table.
func (d *Driver) Version() (version int, dirty bool, err error) {
	switch err := d.conn.QueryRowContext(d.ctx, d.engine.Version).Scan(&version, &dirty); {
	case errors.Is(err, sql.ErrNoRows):
		return database.NilVersion, false, nil
	case err != nil:
		return 0, false, &database.Error{OrigErr: err, Query: []byte(d.engine.Version)}
	}
	return version, dirty, nil
}

// Drop drops everything in the schema.
func (d *Driver) Drop() error {
	if _, err := d.conn.ExecContext(d.ctx, d.engine.Drop); err != nil {
		return &database.Error{OrigErr: err, Query: []byte(d.engine.Drop)}
	}
	return nil
}

// Before returns the version before v as golang-migrate counts: -1 is none.
func Before(v int) int {
	if v == 1 {
		return database.NilVersion
	}
	return v - 1
}

// Cause returns the driver's error inside golang-migrate's, which contains the whole migration and does not unwrap.
func Cause(err error) error {
	if e, ok := errors.AsType[database.Error](err); ok && e.OrigErr != nil {
		return e.OrigErr
	}
	if e, ok := errors.AsType[*database.Error](err); ok && e.OrigErr != nil {
		return e.OrigErr
	}
	return err
}
