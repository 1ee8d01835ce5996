-- Procedure: StartScheduler
-- Purpose: Starts the scheduler: from now on workers are started for tasks, those enqueued before included. Calling it
-- again does no harm and mends a lost timer or a disabled queue.
-- Access: public: dbsched_admin
-- Parameters:
--   @Here bit = 0: 1 = in a copy of the database in which it was started (a restored backup, an attached file), where nothing runs otherwise
-- Errors:
--   51010: called inside a transaction
--   51015: Service Broker is off in this database
--   51016: the database is read-only
--   51019: the database is a copy of the one in which the scheduler was started
-- Example: EXEC dbsched.StartScheduler;
CREATE OR ALTER PROCEDURE {{.Schema}}.StartScheduler
    @Here bit = 0
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "StartScheduler" ""}}

{{.SetOptions}}
    IF CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
        THROW 51016, N'dbsched 51016: the database is read-only here.', 1;

    IF NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 1)
        THROW 51015, N'dbsched 51015: Service Broker is off in this database; turn it on with ALTER DATABASE CURRENT SET ENABLE_BROKER, which waits until nobody else uses the database.', 1;

    -- As the caller, who may see it.
    EXECUTE AS CALLER;
    DECLARE @Home bit, @Guid uniqueidentifier = (SELECT r.database_guid FROM sys.database_recovery_status AS r WHERE r.database_id = DB_ID());
    REVERT;

    EXEC {{.Schema}}.ComeHome @Here, @Guid, @Home OUTPUT;
    IF @Home = 0
        THROW 51019, N'dbsched 51019: this database is a copy of the one in which the scheduler was started, and would run its tasks a second time. If it shall: EXEC StartScheduler @Here = 1 (dbsched start --here).', 1;

    UPDATE s
    SET s.Started = 1, s.NextSweepAt = NULL, s.ChangedAt = CASE WHEN s.Started = 1 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    EXEC {{.Schema}}.RepairQueues;
    EXEC {{.Schema}}.ArmTimer @Seconds = 5;
    EXEC {{.Schema}}.SendWake;
    RETURN 0;
END;
