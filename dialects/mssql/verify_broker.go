package mssql

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/client"
)

const endpointsQuery = `SELECT COUNT(*) FROM sys.conversation_endpoints AS e
INNER JOIN sys.services AS s ON s.service_id = e.service_id
INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
WHERE q.schema_id = SCHEMA_ID(@schema) AND e.state <> 'CD';`

// leak is how many conversations are too many: a wake-up has two ends for a moment, and at most one is on its way to each lane.
const leak = 1000

// checkConversations counts open conversations: leaked ones fill the database.
func (v *verification) checkConversations(ctx context.Context) error {
	var n int
	if err := v.DB.QueryRowContext(ctx, endpointsQuery, sql.Named("schema", v.schema)).Scan(&n); err != nil {
		return v.Failed(ctx, "sys.conversation_endpoints", err)
	}
	if n >= leak {
		v.Add(dialects.Check{Level: dialects.Warn, Text: fmt.Sprintf("%d are open", n), Means: "They use space and slow down Service Broker.",
			Remedy: "dbsched status; if no task is queued, dbsched uninstall and then dbsched install"})
	} else {
		v.OK(fmt.Sprintf("%d are open", n))
	}
	return nil
}

const monitorsQuery = `SELECT q.name, m.state FROM sys.service_queues AS q
INNER JOIN sys.dm_broker_queue_monitors AS m ON m.queue_id = q.object_id AND m.database_id = DB_ID()
WHERE q.schema_id = SCHEMA_ID(@schema) AND m.state = N'NOTIFIED' AND m.last_activated_time < DATEADD(minute, -2, GETDATE());`

// checkMonitors looks for stuck queue monitors: one whose activated procedure does not receive waits forever.
func (v *verification) checkMonitors(ctx context.Context) error {
	// learn.microsoft.com: sys.dm_broker_queue_monitors, Permissions.
	rows, err := v.DB.QueryContext(ctx, monitorsQuery, sql.Named("schema", v.schema))
	if err != nil {
		v.Info("not checked: this requires VIEW SERVER STATE, or from SQL Server 2022 VIEW SERVER PERFORMANCE STATE")
		return nil
	}
	defer rows.Close()
	stuck := 0
	for rows.Next() {
		var name, state string
		if err := rows.Scan(&name, &state); err != nil {
			return v.Failed(ctx, "sys.dm_broker_queue_monitors", err)
		}
		stuck++
		v.Add(dialects.Check{Name: "queue monitor " + name, Level: dialects.Warn, Text: "has been " + state + " for more than two minutes", Means: "The activated procedure does not read its messages.",
			Remedy: fmt.Sprintf("ALTER QUEUE %s WITH ACTIVATION (STATUS = OFF); ALTER QUEUE %[1]s WITH ACTIVATION (STATUS = ON);", v.object(name)), Safe: true})
	}
	if stuck == 0 {
		v.OK("none is stuck")
	}
	return v.Failed(ctx, "sys.dm_broker_queue_monitors", rows.Err())
}

// checkOrphans looks for running tasks with a worker lock that no session holds.
func (v *verification) checkOrphans(ctx context.Context) error {
	query := v.asOwner("SELECT t.TaskId FROM " + v.object("Tasks") + " AS t\nWHERE t.WorkerId IS NOT NULL AND APPLOCK_TEST(@role, N'lane:' + CONVERT(nvarchar(10), t.LaneId), 'Exclusive', 'Session') = 1;")
	n := 0
	err := client.Each(ctx, v.DB, query, []any{sql.Named("role", v.schema+"_locks"), sql.Named("owner", v.owner())}, func(rows *sql.Rows) error {
		var task int64
		if err := rows.Scan(&task); err != nil {
			return err
		}
		n++
		v.Add(dialects.Check{Name: fmt.Sprintf("task %d", task), Level: dialects.Warn, Text: "its worker's session has ended", Means: "The next sweep retries or fails the task, as its @OnOrphan says.",
			Remedy: "EXEC " + v.object("Sweep") + ";", Safe: true})
		return nil
	})
	if n == 0 && err == nil {
		v.OK("none")
	}
	return v.Failed(ctx, "Tasks", err)
}
