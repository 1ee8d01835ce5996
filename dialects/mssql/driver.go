package mssql

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/golang-migrate/migrate/v4/database"

	"github.com/dbsched/dbsched/dialects/migratedriver"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// tableDriver is a golang-migrate driver for one existing schema. A file is one batch. golang-migrate's own driver writes the schema's
// name unescaped into literals, and depends on the modules for Azure logins.
type tableDriver struct{ *migratedriver.Driver }

var _ database.Driver = tableDriver{}

// migrateWait is how long Lock waits; golang-migrate itself gives up after 15 seconds.
const migrateWait = 10 * time.Second

// newDriver returns a driver on db, and closes db with itself. Its statements end with ctx.
func newDriver(ctx context.Context, db *sql.DB, schema string) (database.Driver, error) {
	d, err := migratedriver.New(ctx, db, func(conn *sql.Conn) (migratedriver.Engine, error) {
		table := versionTable(schema)
		resource := "dbsched migrations of " + schema
		query := createVersionTable(table)
		if _, err := conn.ExecContext(ctx, query); err != nil {
			return migratedriver.Engine{}, &database.Error{OrigErr: err, Query: []byte(query)}
		}
		drop, err := dropAll(schema)
		if err != nil {
			return migratedriver.Engine{}, err
		}
		return migratedriver.Engine{
			Lock: func() error {
				result, err := requestLock(ctx, conn, resource, migrateWait)
				if err == nil && result < 0 {
					err = errors.New("the lock is held by another session")
				}
				if err != nil {
					return &database.Error{OrigErr: err, Err: "try lock failed", Query: []byte(takeLock)}
				}
				return nil
			},
			Unlock: func() error { return returnLock(ctx, conn, resource) },
			Run: func(script string) error {
				if _, err := conn.ExecContext(ctx, script); err != nil {
					return database.Error{OrigErr: err, Err: "migration failed", Query: []byte(script)}
				}
				return nil
			},
			Version: versionQuery(table),
			Delete:  "DELETE FROM " + table + ";",
			Insert:  "INSERT INTO " + table + " (version, dirty) VALUES (@p1, @p2);",
			Drop:    drop,
		}, nil
	})
	if err != nil {
		return nil, err
	}
	return tableDriver{d}, nil
}

// Open is called by golang-migrate for a URL, which is not used here.
func (tableDriver) Open(string) (database.Driver, error) {
	return nil, errors.New("this driver needs a connection, not a URL")
}

// versionTable is the name of golang-migrate's table.
func versionTable(schema string) string {
	return templates.QuoteIdent(schema) + "." + templates.QuoteIdent(migrations.VersionTable)
}

// createVersionTable creates the version table unless it exists.
func createVersionTable(table string) string {
	return "IF OBJECT_ID(" + templates.QuoteString(table) + ", N'U') IS NULL\n    CREATE TABLE " + table + " (version bigint NOT NULL PRIMARY KEY, dirty bit NOT NULL);"
}

// dropAll returns the uninstall batch that drops all objects and types of the schema.
func dropAll(schema string) (string, error) {
	batches, err := templates.MSSQLUninstall(templates.Params{Schema: schema})
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(batches, func(b templates.Batch) bool { return b.Name == "step drop_objects" })
	return batches[i].SQL, nil
}
