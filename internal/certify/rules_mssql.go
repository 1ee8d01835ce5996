package certify

import (
	"fmt"
	"time"
)

// mssqlKill ends the session of an activated procedure of ours, and no other one that has its number by now. Error 50002: it has ended. Needs
// VIEW SERVER STATE, without which the view is empty or refused.
func mssqlKill(session int) string {
	return fmt.Sprintf(`IF EXISTS (SELECT 1 FROM sys.dm_broker_activated_tasks AS a INNER JOIN sys.service_queues AS q ON q.object_id = a.queue_id
           WHERE a.spid = %[1]d AND a.database_id = DB_ID() AND SCHEMA_NAME(q.schema_id) IN `+mssqlOurs+`)
    EXEC (N'KILL %[1]d;')
ELSE
    THROW 50002, N'gone', 1;`, session)
}

// mssqlWords are those of SQL Server.
func mssqlWords() words {
	object := func(name string) string { return mssqlProbes + "." + name }
	insert := func(name string, n int) string {
		return fmt.Sprintf("INSERT INTO %s (N) VALUES (%d);", object(name), n)
	}
	return words{
		nothing: "DECLARE @Nothing int = 1;",
		fails:   "THROW 50001, N'certify', 1;",
		table:   func(name string) string { return "CREATE TABLE " + object(name) + " (N int NOT NULL);" },
		insert:  insert,
		// The error dooms the transaction: XACT_STATE is -1, and COMMIT would be error 3930.
		spoil: func(name string) string {
			return "DECLARE @N int = 0; SET XACT_ABORT ON; BEGIN TRY " + insert(name, 2) + " SET @N = 1 / @N; END TRY BEGIN CATCH SET @N = 0; END CATCH;"
		},
		count: func(name string) string { return "SELECT COUNT(*) FROM " + object(name) + ";" },
		waits: func(name, sleep string, n int) string {
			return fmt.Sprintf("DECLARE @I int = 0; WHILE @I < %d AND NOT EXISTS (SELECT 1 FROM %s) BEGIN SET @I += 1; %s; END;", n, object(name), sleep)
		},
		sweep:  "EXEC " + mssqlSchema + ".Sweep;",
		kill:   mssqlKill,
		ramp:   2 * time.Second,
		cannot: "kill: not granted. Such tasks are marked, and end by themselves, until a sysadmin runs the kill script.",

		enqueue: "EXEC " + mssqlSchema + ".ExecAsync N'DECLARE @Nothing int = 1;', 1;",
		locks:   "SELECT COUNT(*) FROM sys.dm_tran_locks AS l WHERE l.request_session_id = @@SPID AND l.resource_type <> N'DATABASE';",

		traces: `SELECT (SELECT COUNT(*) FROM sys.objects AS o WHERE SCHEMA_NAME(o.schema_id) = N'` + mssqlSchema + `')
     + (SELECT COUNT(*) FROM sys.schemas AS s WHERE s.name = N'` + mssqlSchema + `')
     + (SELECT COUNT(*) FROM sys.types AS t WHERE SCHEMA_NAME(t.schema_id) = N'` + mssqlSchema + `')
     + (SELECT COUNT(*) FROM sys.services AS s WHERE s.name LIKE N'//dbsched[_]certify/%')
     + (SELECT COUNT(*) FROM sys.service_contracts AS c WHERE c.name LIKE N'//dbsched[_]certify/%')
     + (SELECT COUNT(*) FROM sys.service_message_types AS m WHERE m.name LIKE N'//dbsched[_]certify/%')
     + (SELECT COUNT(*) FROM sys.conversation_endpoints AS e WHERE e.far_service LIKE N'//dbsched[_]certify/%' AND e.state <> 'CD')
     + (SELECT COUNT(*) FROM sys.database_principals AS p WHERE p.name LIKE N'dbsched[_]certify[_]%' AND p.name NOT LIKE N'dbsched[_]certify[_]probe[_]%');`,
	}
}
