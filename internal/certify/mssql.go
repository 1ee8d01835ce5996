package certify

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	mssqldb "github.com/microsoft/go-mssqldb"
)

// The schemas of the scratch installation, and of what the probes make. The second one is there from the first statement to the last.
const (
	mssqlSchema = "dbsched_certify"
	mssqlProbes = "dbsched_certify_probes"
)

func mssqlEngine() *engine {
	return &engine{
		schema: mssqlSchema,
		makes:  "the schemas " + mssqlSchema + " and " + mssqlProbes,
		make:   "CREATE SCHEMA " + mssqlProbes,
		inTheWay: `SELECT N'Schema ' + s.name + N' exists: another certify is running, or one was killed. To remove what that left, run: dbsched certify --clean'
FROM sys.schemas AS s WHERE s.name IN (N'` + mssqlSchema + `', N'` + mssqlProbes + `')
UNION ALL SELECT N'Service Broker is off. Use another database, or run: ALTER DATABASE CURRENT SET ENABLE_BROKER'
FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 0`,
		left: `SELECT l.Kind, l.Name, l.Text
FROM (SELECT 1 AS Step, N'service' AS Kind, s.name AS Name, N'DROP SERVICE ' + QUOTENAME(s.name) AS Text
      FROM sys.services AS s WHERE s.name LIKE N'dbsched[_]certify[_]%'
      UNION ALL
      SELECT CASE o.type WHEN 'U' THEN 3 ELSE 2 END, N'object', SCHEMA_NAME(o.schema_id) + N'.' + o.name,
             N'DROP ' + CASE o.type WHEN 'U' THEN N'TABLE' WHEN 'P' THEN N'PROCEDURE' WHEN 'V' THEN N'VIEW' WHEN 'SQ' THEN N'QUEUE' ELSE N'FUNCTION' END
             + N' ' + QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name)
      FROM sys.objects AS o
      WHERE o.type IN ('U', 'P', 'V', 'SQ', 'IF', 'TF', 'FN') AND SCHEMA_NAME(o.schema_id) IN (N'` + mssqlSchema + `', N'` + mssqlProbes + `')
      UNION ALL
      SELECT 4, N'user', p.name, N'DROP USER ' + QUOTENAME(p.name)
      FROM sys.database_principals AS p WHERE p.type = 'S' AND p.name LIKE N'` + "dbsched[_]certify[_]probe[_]%" + `'
      UNION ALL
      SELECT 5, N'schema', s.name, N'DROP SCHEMA ' + QUOTENAME(s.name)
      FROM sys.schemas AS s WHERE s.name IN (N'` + mssqlSchema + `', N'` + mssqlProbes + `')) AS l
ORDER BY l.Step, l.Name`,
		probes: slices.Concat(mssqlTasks(), rules(mssqlWords()), mssqlElsewhere()),
		server: mssqlServer,
		why:    mssqlWhy,
		say:    mssqlWords(),
	}
}

// mssqlServer reads what matters of the server and the database.
func mssqlServer(ctx context.Context, db *sql.DB) ([]Fact, error) {
	found, err := rows(ctx, db, `SELECT CONVERT(nvarchar(30), SERVERPROPERTY('ProductVersion')), CONVERT(nvarchar(100), SERVERPROPERTY('Edition')), d.compatibility_level,
       d.is_read_committed_snapshot_on, d.snapshot_isolation_state, d.recovery_model_desc, CONVERT(nvarchar(10), ISNULL(SERVERPROPERTY('IsHadrEnabled'), 0)), d.collation_name
FROM sys.databases AS d WHERE d.database_id = DB_ID()`)
	if err != nil || len(found) != 1 {
		return nil, err
	}
	var facts []Fact
	for i, name := range []string{"version", "edition", "compatibility level", "read committed snapshot", "snapshot isolation", "recovery model", "availability groups", "collation"} {
		facts = append(facts, Fact{name, found[0][i]})
	}
	return facts, nil
}

// mssqlWhy names an error by its number.
func mssqlWhy(err error) string {
	e, ok := errors.AsType[mssqldb.Error](err)
	switch {
	case errors.Is(err, errLate):
		return errLate.Error()
	case !ok:
		return "the connection failed"
	case slices.Contains([]int32{229, 230, 262, 297, 300, 15151, 15247, 15517}, e.Number):
		return fmt.Sprintf("a right is missing (error %d)", e.Number)
	}
	return fmt.Sprintf("error %d", e.Number)
}
