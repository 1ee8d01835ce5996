package mssql

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/golang-migrate/migrate/v4/database"

	"github.com/dbsched/dbsched/dialects/tables"
	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// tableDriver is a golang-migrate driver for one schema, which exists. A file is one batch. golang-migrate's own writes the schema's
// name into literals as it stands, and brings the modules of Azure's logins.
type tableDriver struct{ *tables.Driver }

var _ database.Driver = tableDriver{}

// migrateWait is how long Lock waits; golang-migrate itself gives up after 15 seconds.
const migrateWait = 10 * time.Second

// newDriver returns a driver on db, which it closes when it is closed. Its statements end with ctx.
func newDriver(ctx context.Context, db *sql.DB, schema string) (database.Driver, error) {
	d, err := tables.New(ctx, db, func(conn *sql.Conn) (tables.Engine, error) {
		table := versionTable(schema)
		resource := "dbsched migrations of " + schema
		query := createVersionTable(table)
		if _, err := conn.ExecContext(ctx, query); err != nil {
			return tables.Engine{}, &database.Error{OrigErr: err, Query: []byte(query)}
		}
		return tables.Engine{
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
			Drop:    dropAll(schema),
		}, nil
	})
	if err != nil {
		return nil, err
	}
	return tableDriver{d}, nil
}

// Open is what golang-migrate calls for a URL; nothing here comes by one.
func (tableDriver) Open(string) (database.Driver, error) {
	return nil, errors.New("this driver takes a connection, not a URL")
}

// versionTable is the name of golang-migrate's table.
func versionTable(schema string) string {
	return templates.QuoteIdent(schema) + "." + templates.QuoteIdent(migrations.VersionTable)
}

// createVersionTable makes the version table unless it is there.
func createVersionTable(table string) string {
	return "IF OBJECT_ID(" + templates.QuoteString(table) + ", N'U') IS NULL\n    CREATE TABLE " + table + " (version bigint NOT NULL PRIMARY KEY, dirty bit NOT NULL);"
}

// dropAll drops the views, procedures, functions, tables and table types of a schema whose tables have no foreign keys.
func dropAll(schema string) string {
	return strings.ReplaceAll(`SET NOCOUNT ON;
DECLARE @Command nvarchar(1000);
DECLARE Objects CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT v.Command
    FROM (SELECT CASE o.type WHEN 'P' THEN 1 WHEN 'IF' THEN 2 WHEN 'V' THEN 3 ELSE 4 END AS Turn,
                 N'DROP ' + CASE o.type WHEN 'P' THEN N'PROCEDURE ' WHEN 'IF' THEN N'FUNCTION ' WHEN 'V' THEN N'VIEW ' ELSE N'TABLE ' END
                 + QUOTENAME(<schema>) + N'.' + QUOTENAME(o.name) + N';' AS Command
          FROM sys.objects AS o
          WHERE o.schema_id = SCHEMA_ID(<schema>) AND o.parent_object_id = 0 AND o.type IN ('P', 'IF', 'V', 'U')
          UNION ALL
          SELECT 5, N'DROP TYPE ' + QUOTENAME(<schema>) + N'.' + QUOTENAME(t.name) + N';'
          FROM sys.types AS t
          WHERE t.schema_id = SCHEMA_ID(<schema>)) AS v
    ORDER BY v.Turn, v.Command;

OPEN Objects;
FETCH NEXT FROM Objects INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Objects INTO @Command;
END;
CLOSE Objects;
DEALLOCATE Objects;`, "<schema>", templates.QuoteString(schema))
}
