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
    DECLARE @Bad nvarchar(200), @State int, @UserSid varbinary(85) = {{.UserSid}};

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SELECT @ProcessId = NULL,
           @OnError = CASE LOWER(@OnError) WHEN 'halt' THEN 'Halt' WHEN 'continue' THEN 'Continue' WHEN LOWER('CONTINUE') THEN 'Continue' END;
    SET @Bad = CASE WHEN @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128 THEN N'51012: @Name must have 1 to 128 characters.'
                    WHEN @Priority IS NULL OR @Priority NOT BETWEEN -1000000 AND 1000000 THEN N'51003: @Priority must be from -1000000 to 1000000.'
                    WHEN @Weight IS NULL OR @Weight NOT BETWEEN 1 AND 1000 THEN N'51003: @Weight must be from 1 to 1000.'
                    WHEN @MaxParallel < 1 THEN N'51003: @MaxParallel must be 1 or more.'
                    WHEN (@Priority > 0 OR @Weight > 1)
                         AND ISNULL(IS_ROLEMEMBER({{.AdminRoleLit}}), 0) = 0 AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
                        THEN N'51061: only an administrator may set @Priority above 0 or @Weight above 1: others wait for it.'
                    WHEN @OnError IS NULL THEN N'51008: @OnError must be Halt or Continue.'
                    WHEN @UserSid IS NULL
                        THEN N'51007: a process belongs to the database user that creates it, and your login has no database user.'
                           + N' Run: CREATE USER ... FOR LOGIN ...;' END;
{{.RaiseBad}}

    INSERT INTO {{.Schema}}.Processes WITH (ROWLOCK)
        (Name, Status, Priority, Weight, MaxParallel, OnError, CreatedBySid, CreatedByName, CreatedByLogin)
    VALUES
        (@Name, CASE WHEN @Suspended = 1 THEN 'Suspended' ELSE 'Open' END, @Priority, @Weight, @MaxParallel, @OnError,
         @UserSid, USER_NAME(), ORIGINAL_LOGIN());

    SET @ProcessId = SCOPE_IDENTITY();
{{.EndJoin}}
    RETURN 0;
END;
