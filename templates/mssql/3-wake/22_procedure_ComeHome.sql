-- Procedure: ComeHome
-- Purpose: Tells whether this is the database that the scheduler was started in, or a copy of it. It is the same by its availability
-- group, or by the names of server and database. What else has changed (a failover, a step into or out of a group) is recorded.
-- Access: private
-- Parameters:
--   @Here bit (required): 1 = from now on this is the one
--   @Guid uniqueidentifier (required): its database_guid, NULL = cannot be read, and counts neither way
--   @Home bit OUTPUT: 1 = it is; 0 = a copy, which is an alarm
-- Errors: none of its own
-- Example: EXEC dbsched.ComeHome 0, NULL, @Home OUTPUT;
CREATE OR ALTER PROCEDURE {{.Schema}}.ComeHome
    @Here bit,
    @Guid uniqueidentifier,
    @Home bit OUTPUT
AS
BEGIN
    DECLARE @Group uniqueidentifier, @Message nvarchar(2000);

    SELECT @Group = d.group_database_id
    FROM sys.databases AS d
    WHERE d.database_id = DB_ID();

    SELECT @Home = CASE WHEN @Here = 1 OR s.HomeServer IS NULL OR s.HomeGroupId = @Group
                             OR ({{.ByName}} AND (s.HomeGuid = @Guid OR s.HomeGuid IS NULL OR @Guid IS NULL)) THEN 1 ELSE 0 END,
           @Message = N'This is a copy of the database ' + QUOTENAME(s.HomeDatabase) + N' on ' + s.HomeServer
                    + N', where the scheduler was started. Nothing runs here until EXEC {{.SchemaInString}}.StartScheduler @Here = 1 (dbsched start --here).'
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    IF @Home = 0
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'Copy', @Message = @Message;
    ELSE
        UPDATE s
        SET s.HomeGuid = CASE WHEN {{.ByName}} THEN ISNULL(@Guid, s.HomeGuid) ELSE @Guid END,
            s.HomeServer = CONVERT(nvarchar(128), SERVERPROPERTY('ServerName')), s.HomeDatabase = DB_NAME(), s.HomeGroupId = @Group
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;
END;
