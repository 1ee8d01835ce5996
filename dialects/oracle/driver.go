package oracle

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	go_ora "github.com/sijms/go-ora/v2"

	"github.com/dbsched/dbsched/dialects/migratedriver"
)

func init() { database.Register("oracle", &Driver{}) }

// DefaultMigrationsTable is the version table unless Config names another.
const DefaultMigrationsTable = "SCHEMA_MIGRATIONS"

// DefaultLockTimeout is how long Lock waits by default; golang-migrate itself
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
// DDL commits, so a failed migration cannot be rolled back: write each one so that it
// can be run again. A file is one statement or several, each followed by a line that
// contains only a slash; PL/SQL keeps its last semicolon. A unit that does not compile,
// which is no error for Oracle, fails the migration.
type Driver struct{ *migratedriver.Driver }

var _ database.Driver = (*Driver)(nil)

// versionTable matches names that need no quotes and have room for _PK.
var versionTable = regexp.MustCompile(`^[A-Z][A-Z0-9_$#]{0,124}$`)

// newDriver returns a driver on db, and closes db with itself. Its statements end with ctx.
func newDriver(ctx context.Context, db *sql.DB, config Config) (*Driver, error) {
	if config.MigrationsTable == "" {
		config.MigrationsTable = DefaultMigrationsTable
	}
	if config.LockTimeout == 0 {
		config.LockTimeout = DefaultLockTimeout
	}
	if !versionTable.MatchString(config.MigrationsTable) {
		return nil, fmt.Errorf("the name of the migrations table, %q, must be in upper case and need no quotes", config.MigrationsTable)
	}
	d, err := migratedriver.New(ctx, db, func(conn *sql.Conn) (migratedriver.Engine, error) { return config.engine(ctx, conn) })
	if err != nil {
		return nil, err
	}
	return &Driver{d}, nil
}

// schemaQuery returns the schema that the statements work in.
const schemaQuery = `select sys_context('USERENV', 'CURRENT_SCHEMA') from dual`

// engine computes the number of the lock and creates the version table. That needs no lock:
// a second session finds that the name is in use.
func (c Config) engine(ctx context.Context, conn *sql.Conn) (e migratedriver.Engine, err error) {
	var schema string
	if err := conn.QueryRowContext(ctx, schemaQuery).Scan(&schema); err != nil {
		return e, &database.Error{OrigErr: err, Query: []byte(schemaQuery)}
	}
	aid, err := database.GenerateAdvisoryLockId(schema, c.MigrationsTable)
	if err != nil {
		return e, err
	}
	id := lockID(aid, schema)
	query := createVersionTable(c.MigrationsTable)
	if _, err := conn.ExecContext(ctx, query); err != nil {
		return e, &database.Error{OrigErr: err, Query: []byte(query)}
	}
	return migratedriver.Engine{
		Lock: func() error {
			if err := request(ctx, conn, id, c.LockTimeout); err != nil {
				return &database.Error{OrigErr: err, Err: "try lock failed", Query: []byte(requestLock)}
			}
			return nil
		},
		Unlock: func() error {
			if err := release(ctx, conn, id); err != nil {
				return &database.Error{OrigErr: err, Query: []byte(releaseLock)}
			}
			return nil
		},
		Run:     func(script string) error { return runScript(ctx, conn, script) },
		Version: versionQuery(c.MigrationsTable),
		// Not TRUNCATE, which commits: if the session then ends, the schema would look new.
		Delete: "delete from " + strings.ToLower(c.MigrationsTable),
		Insert: "insert into " + strings.ToLower(c.MigrationsTable) + " (version, dirty) values (:1, :2)",
		Drop:   dropAll,
	}, nil
}

// createVersionTable creates the version table unless it exists.
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

// Open connects to a go-ora URL. The option x-migrations-table names the version
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
	opened, err := newDriver(context.Background(), db, config)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return opened, nil
}

// runScript runs the statements of a migration one by one.
func runScript(ctx context.Context, conn *sql.Conn, script string) error {
	for _, s := range split(script) {
		_, err := conn.ExecContext(ctx, s.text)
		if err == nil && s.unit.name != "" {
			err = compiled(ctx, conn, s.unit.kind, s.unit.name)
		}
		if err != nil {
			return database.Error{OrigErr: err, Err: "migration failed", Query: []byte(s.text), Line: uint(s.line)}
		}
	}
	return nil
}

func versionQuery(table string) string {
	return "select v.version, v.dirty from " + strings.ToLower(table) + " v"
}

// dropAll drops everything in the schema: jobs, queues, views, synonyms, units, sequences, tables and types. DBMS_AQADM is called dynamically, since a user
// without queue tables need not have the right to it. Queue tables, which DROP TABLE does not drop
// (ORA-24005), go first, with what belongs to them. Some tables are dropped with others: they are
// already gone (ORA-00942, ORA-04043), or cannot be dropped alone (ORA-22914, nested tables).
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
