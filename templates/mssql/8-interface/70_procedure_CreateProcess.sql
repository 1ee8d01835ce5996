-- Procedure: CreateProcess
-- Purpose: Creates a process: a named group of tasks. Its waves run in ascending order, in parallel with other processes.
-- Joins the caller's transaction.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): display name, at most 128 characters; need not be unique
--   @ProcessId int = NULL OUTPUT: number of the new process
--   @Suspended bit = 0: 1 = its tasks wait for ReleaseProcess
--   @OnError varchar(30) = 'Halt': after a task fails: Halt (skip tasks that have not started) or Continue
--   @Priority int = 0: under policy Priority, higher runs first; -1000000 to 1000000; above 0: administrators only
--   @Weight int = 1: its share under policy RoundRobin; 1 to 1000; above 1: administrators only
--   @MaxParallel int = NULL: most tasks of the process that run at once; NULL = no limit
-- Errors (number 50000, the number below in text and state):
--   51003: a number is NULL or out of range
--   51007: your login has no database user to own the process
--   51008: @OnError is neither Halt nor Continue
--   51012: @Name is NULL, empty or longer than 128 characters
--   51061: @Priority above 0 or @Weight above 1, and you are no administrator
-- Example: DECLARE @P int; EXEC dbsched.CreateProcess N'nightly load', @P OUTPUT;
CREATE OR ALTER PROCEDURE {{.Schema}}.CreateProcess
    @Name nvarchar(4000),
    @ProcessId int = NULL OUTPUT,
    @Suspended bit = 0,
    @OnError varchar(30) = 'Halt',
    @Priority int = 0,
    @Weight int = 1,
    @MaxParallel int = NULL
AS
BEGIN
{{.StartSnapshot}}
{{.SetOptionsJoin}}
    DECLARE @Bad nvarchar(128);

    SET @ProcessId = NULL;

    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128
    BEGIN
        RAISERROR (N'dbsched 51012: @Name must have 1 to 128 characters.', 16, 12);
        RETURN 51012;
    END;

    SET @Bad = CASE WHEN @Priority IS NULL OR @Priority NOT BETWEEN -1000000 AND 1000000 THEN N'@Priority must be from -1000000 to 1000000'
                    WHEN @Weight IS NULL OR @Weight NOT BETWEEN 1 AND 1000 THEN N'@Weight must be from 1 to 1000'
                    WHEN @MaxParallel < 1 THEN N'@MaxParallel must be 1 or more' END;
    IF @Bad IS NOT NULL
    BEGIN
        RAISERROR (N'dbsched 51003: %s.', 16, 3, @Bad);
        RETURN 51003;
    END;

    IF (@Priority > 0 OR @Weight > 1) AND ISNULL(IS_ROLEMEMBER({{.AdminRoleLit}}), 0) = 0 AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
    BEGIN
        RAISERROR (N'dbsched 51061: only an administrator may set @Priority above 0 or @Weight above 1: others wait for it.', 16, 61);
        RETURN 51061;
    END;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @OnError = CASE LOWER(@OnError) WHEN 'halt' THEN 'Halt' WHEN 'continue' THEN 'Continue' WHEN LOWER('CONTINUE') THEN 'Continue' END;
    IF @OnError IS NULL
    BEGIN
        RAISERROR (N'dbsched 51008: @OnError must be Halt or Continue.', 16, 8);
        RETURN 51008;
    END;

    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Me)
    BEGIN
        RAISERROR (N'dbsched 51007: a process belongs to the database user that creates it, and your login has no database user. Run: CREATE USER ... FOR LOGIN ...;', 16, 7);
        RETURN 51007;
    END;

    INSERT INTO {{.Schema}}.Processes WITH (ROWLOCK)
        (Name, Status, Priority, Weight, MaxParallel, OnError, CreatedBySid, CreatedByName, CreatedByLogin)
    VALUES
        (@Name, CASE WHEN @Suspended = 1 THEN 'Suspended' ELSE 'Open' END, @Priority, @Weight, @MaxParallel, @OnError,
         {{.UserSid}}, USER_NAME(), ORIGINAL_LOGIN());

    SET @ProcessId = SCOPE_IDENTITY();
{{.EndJoin}}
    RETURN 0;
END;
