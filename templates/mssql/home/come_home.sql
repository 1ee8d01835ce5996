-- Procedure: ComeHome
-- Purpose: Checks whether this is the database in which the scheduler was started, or a copy. It is the same if its availability
-- group or mirroring partnership is the same, or the names of server and database. It also runs on the servers of AlsoOn, if the name of the
-- database is the same: nothing distinguishes a copy there, so each such move raises an alarm. Changes (a failover, joining a group) are recorded.
-- Access: private
-- Parameters:
--   @Here bit (required): 1 = from now on, the scheduler runs here
--   @Moved bit (required): 1 = the same, and this is the original: schedules stay as they are
--   @Guid uniqueidentifier (required): the database_guid; NULL = cannot be read, so it is not compared
--   @Group uniqueidentifier (required): the mirroring_guid; NULL = cannot be read
--   @Home bit OUTPUT: 1 = the same database; 0 = a copy, which raises an alarm
CREATE OR ALTER PROCEDURE {{.Schema}}.ComeHome
    @Here bit,
    @Moved bit,
    @Guid uniqueidentifier,
    @Group uniqueidentifier,
    @Home bit OUTPUT
AS
BEGIN
    DECLARE @Is varchar(5), @From nvarchar(400), @To nvarchar(128), @Message nvarchar(2000);

    -- Who may see a mirroring_guid is documented only for the owner of the database and logins with rights on the server, so
    -- StartScheduler also reads it as its caller. A Managed Instance does not document the view: it is not touched there.
    IF CONVERT(int, SERVERPROPERTY('EngineEdition')) <> 8
        SELECT @Group = ISNULL(m.mirroring_guid, @Group)
        FROM sys.database_mirroring AS m
        WHERE m.database_id = DB_ID();

    SELECT @Group = ISNULL(d.group_database_id, @Group)
    FROM sys.databases AS d
    WHERE d.database_id = DB_ID();

    SELECT @Is = CASE WHEN s.HomeServer IS NULL OR s.HomeGroupId = @Group
                           OR ({{.ByName}}
                               AND (s.HomeGuid = @Guid OR s.HomeGuid IS NULL OR @Guid IS NULL)) THEN 'Home'
                      WHEN {{.ByList}} THEN 'Moved'
                      WHEN @Moved = 1 THEN 'Told' ELSE 'Copy' END,
           @From = QUOTENAME(s.HomeDatabase) + N' on ' + s.HomeServer, @To = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName'))
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SET @Home = CASE WHEN @Here = 1 OR @Is <> 'Copy' THEN 1 ELSE 0 END;
    IF @Home = 0
    BEGIN
        SET @Message = N'This database is a copy of ' + @From + N', in which the scheduler was started. No task runs here. If the database'
                     + N' moved: EXEC {{.SchemaInString}}.StartScheduler @Moved = 1 (dbsched start --moved).'
                     + N' To run tasks here too: @Here = 1 (dbsched start --here).';
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'Copy', @Message = @Message;
        RETURN;
    END;

    -- The original's schedules do not fire in a copy until somebody enables them.
    IF @Is = 'Copy'
        UPDATE s
        SET s.Status = 'Suspended', s.Reason = N'the scheduler was started in this copy of the database', s.LookAt = NULL
        FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.Status = 'Enabled';

    UPDATE s
    SET s.HomeGuid = CASE WHEN {{.ByName}} THEN ISNULL(@Guid, s.HomeGuid) ELSE @Guid END,
        s.HomeServer = @To, s.HomeDatabase = DB_NAME(),
        s.HomeGroupId = CASE @Is WHEN 'Copy' THEN @Group ELSE ISNULL(@Group, s.HomeGroupId) END,
        s.AlsoOn = CASE WHEN @Is <> 'Copy' THEN s.AlsoOn END
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    IF @Is = 'Moved'
    BEGIN
        SET @Message = N'The scheduler moved from ' + @From + N' to ' + @To + N', which dbsched start --also-on has named.'
                     + N' If the other database is still open, both run the same tasks: run dbsched stop in one of them.';
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'Moved', @Message = @Message;
    END;
END;
