-- Procedure: StartScheduler
-- Purpose: Starts the scheduler: workers start for tasks, including tasks enqueued earlier. Calling it again is harmless,
-- and repairs a lost timer or a disabled queue.
-- Access: public: dbsched_admin
-- Parameters:
--   @Here bit = 0: 1 = start in a copy (a restored backup, an attached file) of the database in which it was started; otherwise nothing runs there
-- Errors:
--   51010: called inside a transaction
--   51015: Service Broker is off in this database
--   51016: the database is read-only
--   51019: the database is a copy of the one in which the scheduler was started
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.StartScheduler;
CREATE OR ALTER PROCEDURE {{.Schema}}.StartScheduler
    @Here bit = 0
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "StartScheduler" ""}}

{{.SetOptions}}
{{.NeedSettings}}
    IF CONVERT(nvarchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability')) <> N'READ_WRITE'
        THROW 51016, N'dbsched 51016: this database is read-only. Connect to the primary replica, or run: ALTER DATABASE CURRENT SET READ_WRITE.', 1;

    IF NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND d.is_broker_enabled = 1)
        THROW 51015, N'dbsched 51015: Service Broker is off in this database. Run: ALTER DATABASE CURRENT SET ENABLE_BROKER. It waits until no other session uses the database.', 1;

    -- As the caller, who may see the GUID.
    EXECUTE AS CALLER;
    DECLARE @Home bit, @Guid uniqueidentifier = (SELECT r.database_guid FROM sys.database_recovery_status AS r WHERE r.database_id = DB_ID());
    REVERT;

    EXEC {{.Schema}}.ComeHome @Here, @Guid, @Home OUTPUT;
    IF @Home = 0
        THROW 51019, N'dbsched 51019: this database is a copy of the one in which the scheduler was started, so its tasks would run a second time. To run them here: EXEC StartScheduler @Here = 1 (dbsched start --here).', 1;

    EXEC {{.Schema}}.RepairQueues;

    UPDATE s
    SET s.Started = 1, s.NextSweepAt = SYSUTCDATETIME(), s.ChangedAt = CASE WHEN s.Started = 1 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    EXEC {{.Schema}}.ArmTimer @Seconds = 5;
    EXEC {{.Schema}}.SendWake;
    RETURN 0;
END;
