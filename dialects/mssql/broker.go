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

// enableBroker turns on Service Broker. The statement needs exclusive use of the database,
// so this connection is closed first, and it runs alone on another one.
func (s *scheduler) enableBroker(ctx context.Context, f facts, force bool) error {
	statement := enableStatement(f.Database, force)
	if s.DryRun != nil {
		s.DryRun(dialects.Batch{Name: "enable Service Broker", SQL: statement})
		return nil
	}
	s.Notify("turning on Service Broker: " + statement)
	s.DB.Close()
	alone := s.pool()
	_, err := alone.ExecContext(ctx, statement)
	var holders []string
	if err != nil && busyDatabase(err) {
		holders = whoHolds(ctx, alone)
	}
	alone.Close()
	s.DB = s.pool()
	if err == nil {
		return nil
	}
	refused := s.Failed(ctx, statement, err)
	if se, ok := errors.AsType[*dialects.ServerError](refused); ok {
		se.Hint = brokerHint(se.Err, f.Database, holders)
	}
	return refused
}

// busyDatabase reports whether other sessions blocked an ALTER DATABASE: 5030 and 5061
// (no exclusive lock), 5070 (other users are using the database).
func busyDatabase(err error) bool { return hasNumber(err, 5030, 5061, 5070) }

// hasNumber reports whether any message of the batch has one of the numbers: the last
// message is often just 5069, "ALTER DATABASE statement failed".
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

// brokerHint explains why the broker cannot be turned on, and what to do.
func brokerHint(err error, database string, holders []string) string {
	q := templates.QuoteIdent(database)
	switch {
	case busyDatabase(err):
		hint := "Service Broker is off in database " + database + ", and can be turned on only while no other session uses the database.\n"
		if len(holders) > 0 {
			hint += "Sessions in the database:\n  " + strings.Join(holders, "\n  ") + "\n"
		}
		return hint + "End these sessions and try again, or roll them back and disconnect them: --force-enable-broker"
	case hasNumber(err, 9772):
		return "This database is a copy: another database on the server has the same Service Broker identity. To create a new identity,\n" +
			"which ends all open conversations of the database, run: ALTER DATABASE " + q + " SET NEW_BROKER WITH ROLLBACK IMMEDIATE;"
	case hasNumber(err, 1468):
		return "The database is in an availability group or is mirrored. Remove it from the group or mirror, run\n" +
			"ALTER DATABASE " + q + " SET ENABLE_BROKER; and add it again (then Service Broker is on in all copies)."
	}
	return "Service Broker is off in database " + database + ". Run: ALTER DATABASE " + q + " SET ENABLE_BROKER WITH NO_WAIT;"
}

const holdersQuery = `SELECT CAST(s.session_id AS int), ISNULL(s.login_name, N''), ISNULL(s.host_name, N''), ISNULL(s.program_name, N''), s.status
FROM sys.dm_exec_sessions AS s
WHERE s.database_id = DB_ID() AND s.session_id <> @@SPID
ORDER BY s.session_id;`

// whoHolds lists the other sessions in the database. Without VIEW SERVER STATE the list is
// empty.
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
