-- Procedure: StartScheduler
-- Purpose: Starts the scheduler: from now on workers are started for tasks, those enqueued before included. Calling it
-- again does no harm and mends a lost timer or a disabled queue.
-- Access: public: dbsched_admin
-- Parameters: none
-- Errors:
--   51010: called inside a transaction
--   51015: Service Broker is off in this database
--   51016: the database is read-only
-- Example: EXEC dbsched.StartScheduler;
CREATE OR ALTER PROCEDURE {{.Schema}}.StartScheduler
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "StartScheduler" ""}}

{{.SetOptions}}
    IF CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
        THROW 51016, N'dbsched 51016: the database is read-only here.', 1;

    IF NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 1)
        THROW 51015, N'dbsched 51015: Service Broker is off in this database; turn it on with ALTER DATABASE CURRENT SET ENABLE_BROKER, which waits until nobody else uses the database.', 1;

    UPDATE s
    SET s.Started = 1, s.NextSweepAt = NULL, s.ChangedAt = CASE WHEN s.Started = 1 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    EXEC {{.Schema}}.RepairQueues;
    EXEC {{.Schema}}.ArmTimer @Seconds = 5;
    EXEC {{.Schema}}.SendWake;
    RETURN 0;
END;
