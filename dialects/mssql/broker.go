package mssql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	mssqldb "github.com/microsoft/go-mssqldb"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/templates"
)

func enableStatement(database string, force bool) string {
	statement := "ALTER DATABASE " + templates.QuoteIdent(database) + " SET ENABLE_BROKER WITH "
	if force {
		return statement + "ROLLBACK IMMEDIATE;"
	}
	return statement + "NO_WAIT;"
}

// enableBroker switches Service Broker on. The statement needs the database to itself,
// so our own connection is closed first, and it runs alone on another one.
func (s *scheduler) enableBroker(ctx context.Context, f facts, force bool) error {
	statement := enableStatement(f.Database, force)
	if s.dryRun != nil {
		s.dryRun(dialects.Batch{Name: "enable Service Broker", SQL: statement})
		return nil
	}
	s.notify("switching Service Broker on: " + statement)
	s.db.Close()
	alone := s.pool()
	_, err := alone.ExecContext(ctx, statement)
	var holders []string
	if err != nil && busyDatabase(err) {
		holders = whoHolds(ctx, alone)
	}
	alone.Close()
	s.db = s.pool()
	if err == nil {
		return nil
	}
	refused := s.failed(statement, err)
	if se, ok := errors.AsType[*dialects.ServerError](refused); ok {
		se.Hint = brokerHint(se.Err, f.Database, holders)
	}
	return refused
}

// busyDatabase tells the errors of an ALTER DATABASE that others are in the way of: 5030
// and 5061 (no exclusive lock), 5070 (other users are using the database).
func busyDatabase(err error) bool { return hasNumber(err, 5030, 5061, 5070) }

// hasNumber tells whether any message of the batch has one of the numbers: the last one
// is often just 5069, "ALTER DATABASE statement failed".
func hasNumber(err error, numbers ...int32) bool {
	e, ok := asServerError(err)
	if !ok {
		return false
	}
	for _, m := range append([]mssqldb.Error{e}, e.All...) {
		for _, n := range numbers {
			if m.Number == n {
				return true
			}
		}
	}
	return false
}

// brokerHint says what keeps the broker off and what to do.
func brokerHint(err error, database string, holders []string) string {
	q := templates.QuoteIdent(database)
	switch {
	case busyDatabase(err):
		hint := "Service Broker is off in database " + database + ", and switching it on needs the database for a moment without other sessions.\n"
		if len(holders) > 0 {
			hint += "It is held by:\n  " + strings.Join(holders, "\n  ") + "\n"
		}
		return hint + "End them and try again, or let them be rolled back and disconnected: --force-enable-broker"
	case hasNumber(err, 9772):
		return "This database is a copy: another one on the server has the same Service Broker identity. A new identity, which ends all\n" +
			"open conversations of the database, is given by: ALTER DATABASE " + q + " SET NEW_BROKER WITH ROLLBACK IMMEDIATE;"
	case hasNumber(err, 1468):
		return "The database is in an availability group or mirrored. Remove it from there, run\n" +
			"ALTER DATABASE " + q + " SET ENABLE_BROKER; and add it again (both copies then have it on)."
	}
	return "Service Broker is off in database " + database + "; it is switched on by: ALTER DATABASE " + q + " SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;"
}

const holdersQuery = `SELECT CAST(s.session_id AS int), ISNULL(s.login_name, N''), ISNULL(s.host_name, N''), ISNULL(s.program_name, N''), s.status
FROM sys.dm_exec_sessions AS s
WHERE s.database_id = DB_ID() AND s.session_id <> @@SPID
ORDER BY s.session_id;`

// whoHolds lists the other sessions in the database; without VIEW SERVER STATE the server
// shows none of them.
func whoHolds(ctx context.Context, db *sql.DB) []string {
	rows, err := db.QueryContext(ctx, holdersQuery)
	if err != nil {
		return nil
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var id int
		var login, host, program, status string
		if rows.Scan(&id, &login, &host, &program, &status) != nil {
			return all
		}
		all = append(all, fmt.Sprintf("session %d: %s from %s (%s), %s", id, login, host, program, status))
	}
	if err := rows.Err(); err != nil {
		return append(all, "and others: "+err.Error())
	}
	return all
}
