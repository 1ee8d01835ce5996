-- Procedure: ComeHome
-- Purpose: Checks whether this is the database in which the scheduler was started, or a copy. It is the same if its availability
-- group is the same, or the names of server and database. Other changes (a failover, joining or leaving a group) are recorded.
-- Access: private
-- Parameters:
--   @Here bit (required): 1 = from now on, the scheduler runs here
--   @Guid uniqueidentifier (required): the database_guid; NULL = cannot be read, so it is not compared
--   @Home bit OUTPUT: 1 = the same database; 0 = a copy, which raises an alarm
CREATE OR ALTER PROCEDURE {{.Schema}}.ComeHome
    @Here bit,
    @Guid uniqueidentifier,
    @Home bit OUTPUT
AS
BEGIN
    DECLARE @Group uniqueidentifier, @Message nvarchar(2000), @Copy bit;

    SELECT @Group = d.group_database_id
    FROM sys.databases AS d
    WHERE d.database_id = DB_ID();

    SELECT @Copy = CASE WHEN s.HomeServer IS NULL OR s.HomeGroupId = @Group
                             OR ({{.ByName}} AND (s.HomeGuid = @Guid OR s.HomeGuid IS NULL OR @Guid IS NULL)) THEN 0 ELSE 1 END,
           @Message = N'This database is a copy of ' + QUOTENAME(s.HomeDatabase) + N' on ' + s.HomeServer
                    + N', in which the scheduler was started. No task runs here. To run tasks here: EXEC {{.SchemaInString}}.StartScheduler @Here = 1 (dbsched start --here).'
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SET @Home = CASE WHEN @Here = 1 OR @Copy = 0 THEN 1 ELSE 0 END;
    IF @Home = 0
    BEGIN
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'Copy', @Message = @Message;
        RETURN;
    END;

    -- The original's schedules do not fire in a copy until somebody enables them.
    IF @Copy = 1
        UPDATE s
        SET s.Status = 'Suspended', s.Reason = N'the scheduler was started in this copy of the database', s.LookAt = NULL
        FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.Status = 'Enabled';

    UPDATE s
    SET s.HomeGuid = CASE WHEN {{.ByName}} THEN ISNULL(@Guid, s.HomeGuid) ELSE @Guid END,
        s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')), s.HomeDatabase = DB_NAME(), s.HomeGroupId = @Group
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;
END;
