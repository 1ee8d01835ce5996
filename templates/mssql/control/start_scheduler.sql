-- Procedure: StartScheduler
-- Purpose: Starts the scheduler: workers start for tasks, including tasks enqueued earlier. Calling it again is harmless,
-- and repairs a lost timer or a disabled queue.
-- Access: public: dbsched_admin
-- Parameters:
--   @Here bit = 0: 1 = start in a copy (a restored backup, an attached file) of the database in which it was started, and suspend its
--       schedules; otherwise nothing runs there
--   @Moved bit = 0: 1 = start in the database itself, which moved to another server or has another name; schedules stay as they are
--   @AlsoOn nvarchar(1000) = NULL: names of other servers, separated by commas, on which this database goes on without a new start. They
--       replace earlier ones; '-' = none, NULL = no change. A second copy of the database on such a server cannot be told apart
-- Errors:
--   51010: called inside a transaction
--   51015: Service Broker is off in this database
--   51016: the database is read-only
--   51019: the database is a copy of the one in which the scheduler was started
--   51039: the row of Settings is missing
-- Example: EXEC dbsched.StartScheduler;
CREATE OR ALTER PROCEDURE {{.Schema}}.StartScheduler
    @Here bit = 0,
    @Moved bit = 0,
    @AlsoOn nvarchar(1000) = NULL
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

    -- As the caller, who may see the GUIDs.
    EXECUTE AS CALLER;
    DECLARE @Home bit, @Group uniqueidentifier,
            @Guid uniqueidentifier = (SELECT r.database_guid FROM sys.database_recovery_status AS r WHERE r.database_id = DB_ID());
    IF CONVERT(int, SERVERPROPERTY('EngineEdition')) <> 8
        SELECT @Group = m.mirroring_guid FROM sys.database_mirroring AS m WHERE m.database_id = DB_ID();
    REVERT;

    EXEC {{.Schema}}.ComeHome @Here, @Moved, @Guid, @Group, @Home OUTPUT;
    IF @Home = 0
    BEGIN
        DECLARE @Message nvarchar(2000) = N'dbsched 51019: this database is a copy of the one in which the scheduler was started, so its'
            + N' tasks would run a second time. If it moved: EXEC StartScheduler @Moved = 1 (dbsched start --moved).'
            + N' To run them here too: @Here = 1 (dbsched start --here).';
        THROW 51019, @Message, 1;
    END;

    EXEC {{.Schema}}.RepairQueues;

    UPDATE s
    SET s.Started = 1, s.NextSweepAt = SYSUTCDATETIME(),
        -- With this server, so that the way back is open, too.
        s.AlsoOn = CASE @AlsoOn WHEN N'-' THEN NULL
                                ELSE ISNULL(CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')) + N',' + REPLACE(@AlsoOn, N' ', N''), s.AlsoOn) END,
        s.ChangedAt = CASE WHEN s.Started = 1 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    EXEC {{.Schema}}.ArmTimer @Seconds = 5;
    EXEC {{.Schema}}.SendWake;
    RETURN 0;
END;
