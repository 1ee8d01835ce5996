package certify

import (
	"errors"
	"fmt"
	"slices"

	mssqldb "github.com/microsoft/go-mssqldb"
)

// The schemas of the scratch installation, and of what the probes make. The second one is there from the first statement to the last. Users,
// logins, databases and jobs that the probes make have names that begin with mssqlProbe.
const (
	mssqlSchema = "dbsched_certify"
	mssqlProbes = "dbsched_certify_probes"
	mssqlProbe  = "dbsched_certify_probe_"
)

func mssqlEngine() *engine {
	return &engine{
		schema:   mssqlSchema,
		makes:    "the schemas " + mssqlSchema + " and " + mssqlProbes,
		make:     "CREATE SCHEMA " + mssqlProbes + " AUTHORIZATION dbo",
		mark:     mssqlProbes,
		inTheWay: mssqlInTheWay,
		left:     mssqlLeft,
		unseen:   mssqlUnseen,
		probes: slices.Concat(mssqlTasks(), mssqlActivation(), mssqlUsers(), mssqlEnqueueing(), mssqlKills(), mssqlMoves(), mssqlAgent(),
			mssqlTrust(), mssqlSwitches(), rules(mssqlWords()), mssqlElsewhere()),
		server: mssqlServer,
		alive:  mssqlAlive,
		taken:  func(err error) bool { return slices.Contains(mssqlNumbers(err), 2714) },
		held:   func(err error) bool { return slices.Contains(mssqlNumbers(err), 50003) },
		why:    mssqlWhy,
		say:    mssqlWords(),
	}
}

// mssqlAlive waits for a moment: a session that was killed may be just ending.
const mssqlAlive = `DECLARE @Result int;
EXEC @Result = sys.sp_getapplock @Resource = N'` + mssqlProbe + `running', @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 5000;
IF @Result < 0
    THROW 50003, N'held', 1;`

// mssqlInTheWay lists what prevents a run. The engine editions are those of SERVERPROPERTY, of Azure SQL Database and of its like in Fabric.
const mssqlInTheWay = `SELECT N'This is Azure SQL Database, which has no Service Broker, so dbsched cannot run in it. Use SQL Server or Azure SQL Managed Instance'
WHERE CONVERT(int, SERVERPROPERTY('EngineEdition')) IN (5, 12)
UNION ALL
SELECT N'This database is read-only. If it is a secondary replica, connect to the primary. If not, use another database, or run: ALTER DATABASE CURRENT SET READ_WRITE'
WHERE CONVERT(int, SERVERPROPERTY('EngineEdition')) NOT IN (5, 12) AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
UNION ALL
SELECT N'Schema ' + s.name + N' exists: another certify is running, or one was killed. To remove what that left, run: dbsched certify --clean'
FROM sys.schemas AS s
WHERE s.name IN (N'` + mssqlSchema + `', N'` + mssqlProbes + `')
UNION ALL
SELECT N'Service Broker is off. Use another database, or run: ALTER DATABASE CURRENT SET ENABLE_BROKER'
FROM sys.databases AS d
WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 0 AND CONVERT(int, SERVERPROPERTY('EngineEdition')) NOT IN (5, 12)
  AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) = N'READ_WRITE'`

// mssqlRights are the errors that say that a right is missing: on objects (229, 230, 15151, 15247), in the database (262) or on the server (297,
// 300), to enter another database (916), change one (5011), impersonate (15517), KILL (6102); and those of dbsched's scripts.
var mssqlRights = []int32{229, 230, 262, 297, 300, 916, 5011, 6102, 15151, 15247, 15517, 51083, 51085}

// mssqlWhy names an error by its number.
func mssqlWhy(err error) string {
	e, ok := errors.AsType[mssqldb.Error](err)
	switch {
	case errors.Is(err, errLate):
		return errLate.Error()
	case ok && e.Number == 50002:
		return "it needs ALTER ANY CONNECTION and VIEW SERVER STATE, or the session had ended"
	case !ok && disconnected(err):
		return "the connection failed"
	case !ok:
		return "the answer could not be read"
	case slices.Contains(mssqlRights, e.Number):
		if n, ok := errors.AsType[needs](err); ok {
			return fmt.Sprintf("it needs %s (error %d)", n.right, e.Number)
		}
		return fmt.Sprintf("a right is missing (error %d)", e.Number)
	}
	return fmt.Sprintf("error %d", e.Number)
}

// needs is an error of a statement that needs a right.
type needs struct {
	error
	right string
}

func (n needs) Unwrap() error { return n.error }

// needing adds the right to an error, if there is one.
func needing(right string, err error) error {
	if err == nil {
		return nil
	}
	return needs{err, right}
}
