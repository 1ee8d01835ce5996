package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	go_ora "github.com/sijms/go-ora/v2"
)

func init() { database.Register("oracle", &Driver{}) }

// DefaultMigrationsTable is the version table unless another is asked for.
const DefaultMigrationsTable = "SCHEMA_MIGRATIONS"

// DefaultLockTimeout is how long Lock waits unless asked otherwise; golang-migrate itself
// gives up after 15 seconds.
const DefaultLockTimeout = 10 * time.Second

// Config configures a Driver.
type Config struct {
	MigrationsTable string        // a name that needs no quotes, in upper case; default: DefaultMigrationsTable
	LockTimeout     time.Duration // default: DefaultLockTimeout
}

// Driver is a golang-migrate driver for one schema: that of the user who connects. It needs
// EXECUTE on DBMS_LOCK to migrate, but not to read the version.
//
// DDL commits, so a migration cannot be undone by its failure: write each one as something
// that can be run again. A file is one statement or several, each followed by a line that
// holds nothing but a slash; PL/SQL keeps its last semicolon. A unit that does not compile,
// which is no error for Oracle, fails the migration.
type Driver struct {
	db     *sql.DB
	conn   *sql.Conn // the lock is a session's
	config Config
	ctx    context.Context // golang-migrate's interface knows none
	lockID int64
	locked atomic.Bool
}

var _ database.Driver = (*Driver)(nil)

// versionTable matches names that need no quotes and have room for _PK.
var versionTable = regexp.MustCompile(`^[A-Z][A-Z0-9_$#]{0,124}$`)

// WithInstance returns a driver on db, which it closes when it is closed.
func WithInstance(db *sql.DB, config *Config) (database.Driver, error) {
	return newDriver(context.Background(), db, config)
}

// newDriver returns a driver whose statements end with ctx.
func newDriver(ctx context.Context, db *sql.DB, config *Config) (*Driver, error) {
	d := &Driver{db: db, ctx: ctx}
	if config != nil {
		d.config = *config
	}
	if d.config.MigrationsTable == "" {
		d.config.MigrationsTable = DefaultMigrationsTable
	}
	if d.config.LockTimeout == 0 {
		d.config.LockTimeout = DefaultLockTimeout
	}
	if !versionTable.MatchString(d.config.MigrationsTable) {
		return nil, fmt.Errorf("the migrations table %q is not a name in upper case that needs no quotes", d.config.MigrationsTable)
	}
	var err error
	if d.conn, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	if err := d.prepare(); err != nil {
		return nil, errors.Join(err, d.conn.Close())
	}
	return d, nil
}

// schemaQuery names whose schema the statements work in.
const schemaQuery = `select sys_context('USERENV', 'CURRENT_SCHEMA') from dual`

// prepare finds the number of the lock and makes the version table. That needs no lock:
// whoever comes second finds the name in use.
func (d *Driver) prepare() error {
	var schema string
	if err := d.conn.QueryRowContext(d.ctx, schemaQuery).Scan(&schema); err != nil {
		return &database.Error{OrigErr: err, Query: []byte(schemaQuery)}
	}
	aid, err := database.GenerateAdvisoryLockId(schema, d.config.MigrationsTable)
	if err != nil {
		return err
	}
	d.lockID = lockID(aid, schema)
	query := createVersionTable(d.config.MigrationsTable)
	if _, err := d.conn.ExecContext(d.ctx, query); err != nil {
		return &database.Error{OrigErr: err, Query: []byte(query)}
	}
	return nil
}

// createVersionTable makes the version table unless it is there.
func createVersionTable(table string) string {
	table = strings.ToLower(table)
	return `declare
    e_name_in_use exception;
    pragma exception_init(e_name_in_use, -955);
begin
    execute immediate 'create table ` + table + ` (version number(19) constraint ` + table + `_pk primary key, dirty number(1) not null)';
exception
    when e_name_in_use then
        null;
end;`
}

// Open connects to a URL as go-ora takes it. The option x-migrations-table names the version
// table, x-lock-timeout is in seconds.
func (d *Driver) Open(dsn string) (database.Driver, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, badDSN() // err could quote the password
	}
	config := Config{MigrationsTable: u.Query().Get("x-migrations-table")}
	if text := u.Query().Get("x-lock-timeout"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("x-lock-timeout is %q; it must be a number of seconds", text)
		}
		config.LockTimeout = time.Duration(n) * time.Second
	}
	db := sql.OpenDB(go_ora.NewConnector(migrate.FilterCustomQuery(u).String()))
	opened, err := newDriver(context.Background(), db, &config)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return opened, nil
}

// Close ends the session and closes the pool.
func (d *Driver) Close() error { return errors.Join(d.conn.Close(), d.db.Close()) }

// Lock takes a lock that no other driver of this schema and version table has at the same
// time. It fails with database.ErrLocked if this driver has it.
func (d *Driver) Lock() error {
	return database.CasRestoreOnErr(&d.locked, false, true, database.ErrLocked, func() error {
		if err := request(d.ctx, d.conn, d.lockID, d.config.LockTimeout); err != nil {
			return &database.Error{OrigErr: err, Err: "try lock failed", Query: []byte(requestLock)}
		}
		return nil
	})
}

// Unlock releases the lock.
func (d *Driver) Unlock() error {
	return database.CasRestoreOnErr(&d.locked, true, false, database.ErrNotLocked, func() error {
		if err := release(d.ctx, d.conn, d.lockID); err != nil {
			return &database.Error{OrigErr: err, Query: []byte(releaseLock)}
		}
		return nil
	})
}

// Run runs the statements of a migration one after the other.
func (d *Driver) Run(migration io.Reader) error {
	script, err := io.ReadAll(migration)
	if err != nil {
		return err
	}
	for _, s := range split(string(script)) {
		_, err := d.conn.ExecContext(d.ctx, s.text)
		if err == nil && s.unit.name != "" {
			err = compiled(d.ctx, d.conn, s.unit.kind, s.unit.name)
		}
		if err != nil {
			return database.Error{OrigErr: err, Err: "migration failed", Query: []byte(s.text), Line: uint(s.line)}
		}
	}
	return nil
}

// SetVersion replaces the row of the version table. Not by TRUNCATE, which commits: a
// session that is cut off then would leave a schema that looks new.
func (d *Driver) SetVersion(version int, dirty bool) error {
	// Without ctx, as in scheduler.inTransaction.
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
	if err := set("delete from " + d.table()); err != nil {
		return err
	}
	// Also for a down migration of the first version that failed
	// (https://github.com/golang-migrate/migrate/issues/330).
	if version >= 0 || dirty {
		flag := 0
		if dirty {
			flag = 1
		}
		if err := set("insert into "+d.table()+" (version, dirty) values (:1, :2)", version, flag); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return &database.Error{OrigErr: err, Err: "transaction commit failed"}
	}
	return nil
}

func (d *Driver) table() string { return strings.ToLower(d.config.MigrationsTable) }

func versionQuery(table string) string {
	return "select v.version, v.dirty from " + strings.ToLower(table) + " v"
}

// Version reads the version table.
func (d *Driver) Version() (version int, dirty bool, err error) {
	query := versionQuery(d.config.MigrationsTable)
	switch err := d.conn.QueryRowContext(d.ctx, query).Scan(&version, &dirty); {
	case errors.Is(err, sql.ErrNoRows):
		return database.NilVersion, false, nil
	case err != nil:
		return 0, false, &database.Error{OrigErr: err, Query: []byte(query)}
	}
	return version, dirty, nil
}

// dropAll drops everything in the schema. DBMS_AQADM is called dynamically, since a user who
// has no queue tables need not have the right to it. Queue tables, which no DROP TABLE works
// on (ORA-24005), go first, with what belongs to them. Some tables go with others: they are
// gone already (ORA-00942, ORA-04043), or cannot be dropped alone (ORA-22914, nested tables).
const dropAll = `begin
    for r in (select j.job_name from user_scheduler_jobs j order by j.job_name) loop
        dbms_scheduler.drop_job(job_name => '"' || r.job_name || '"', force => true);
    end loop;
    for r in (select t.queue_table from user_queue_tables t order by t.queue_table) loop
        execute immediate 'begin dbms_aqadm.drop_queue_table(queue_table => :1, force => true); end;' using r.queue_table;
    end loop;
    for r in (select o.object_type, o.object_name
              from user_objects o
              where o.object_type in ('VIEW', 'SYNONYM', 'PACKAGE', 'PROCEDURE', 'FUNCTION', 'SEQUENCE', 'TABLE', 'TYPE')
                and o.object_name not like 'BIN$%'
                and o.object_name not like 'ISEQ$$%'
              order by case o.object_type when 'TYPE' then 3 when 'TABLE' then 2 else 1 end, o.object_type, o.object_name)
    loop
        begin
            execute immediate 'drop ' || r.object_type || ' "' || r.object_name || '"'
                || case r.object_type when 'TABLE' then ' cascade constraints purge' when 'TYPE' then ' force' end;
        exception
            when others then
                if sqlcode not in (-942, -4043, -22914) then
                    raise;
                end if;
        end;
    end loop;
end;`

// Drop drops everything in the schema: jobs, queues, views, synonyms, units, sequences,
// tables and types.
func (d *Driver) Drop() error {
	if _, err := d.conn.ExecContext(d.ctx, dropAll); err != nil {
		return &database.Error{OrigErr: err, Query: []byte(dropAll)}
	}
	return nil
}
