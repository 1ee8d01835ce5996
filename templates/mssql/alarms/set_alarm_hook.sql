-- Procedure: SetAlarmHook
-- Purpose: Sets the alarm hook: a procedure of yours that is called for each alarm from now on, for example to notify an operator. It
-- must have a parameter @AlarmId bigint, the key of the alarm in AlarmInfo. It runs as you, as a task in a process named "alarm hook",
-- while the scheduler is started: one call at a time, at most 300 seconds and three attempts. It cannot harm the scheduler. Its errors
-- are in LogInfo. Installations and upgrades keep it.
-- Access: public: dbsched_admin
-- Parameters:
--   @Procedure nvarchar(517) = NULL: schema and name, with brackets around both or neither; NULL = remove the hook
-- Errors:
--   51007: your login has no database user that can be impersonated
--   51010: called inside a transaction
--   51039: the row of Settings is missing
--   51060: no such procedure, you may not execute it, or it has no parameter @AlarmId
-- Example: EXEC (N'CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS INSERT INTO dbo.Pager (Text) SELECT a.AlarmText FROM dbsched.AlarmInfo AS a WHERE a.AlarmId = @AlarmId;'); EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';
CREATE OR ALTER PROCEDURE {{.Schema}}.SetAlarmHook
    @Procedure nvarchar(517) = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "SetAlarmHook" ""}}

{{.SetOptions}}
{{.NeedSettings}}
{{.CallerAlone}}    DECLARE @Hook nvarchar(517), @OldProcessId int, @ProcessId int, @Same bit;

    EXECUTE AS CALLER;

    -- The catalog shows only what the caller has rights on. Use the names found, not the parameter: they become part of a batch.
    SELECT @Hook = QUOTENAME(s.name) + N'.' + QUOTENAME(p.name)
    FROM sys.procedures AS p
    INNER JOIN sys.schemas AS s ON s.schema_id = p.schema_id
    INNER JOIN sys.parameters AS a ON a.object_id = p.object_id AND a.name = N'@AlarmId'
    WHERE @Procedure IN (s.name + N'.' + p.name, QUOTENAME(s.name) + N'.' + QUOTENAME(p.name))
      AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(p.name), N'OBJECT', N'EXECUTE') = 1;

    REVERT;

    IF @Procedure IS NOT NULL AND @Hook IS NULL
        THROW 51060, N'dbsched 51060: @Procedure must be the schema.name of a procedure in this database that you may execute and that has a parameter @AlarmId.', 1;

    IF @Hook IS NOT NULL AND @UserSid IS NULL
        THROW 51007, N'dbsched 51007: the hook runs as the database user that sets it, and yours cannot be impersonated: your login needs a database user of its own. Run: CREATE USER ... FOR LOGIN ...;', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @OldProcessId = s.AlarmHookProcessId,
               @Same = CASE WHEN s.AlarmHook = @Hook AND s.AlarmHookById = @UserId AND s.AlarmHookBySid = @UserSid AND s.AlarmHookByName = @UserName THEN 1 ELSE 0 END
        FROM {{.Schema}}.Settings AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The same hook again changes nothing, unless its process was closed or has ended.
        IF @Same = 1
           AND EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @OldProcessId AND p.Status = 'Open' AND p.CloseRequested = 0)
        BEGIN
            COMMIT TRANSACTION;
            RETURN 0;
        END;

        -- One at a time: a hook that hangs blocks only one worker.
        IF @Hook IS NOT NULL
        BEGIN
            INSERT INTO {{.Schema}}.Processes WITH (ROWLOCK)
                (Name, Status, Priority, MaxParallel, OnError, CreatedBySid, CreatedByName, CreatedByLogin)
            VALUES
                (N'alarm hook', 'Open', 1000000, 1, 'Continue', @UserSid, @UserName, @LoginName);

            SET @ProcessId = SCOPE_IDENTITY();
        END;

        UPDATE s
        SET s.AlarmHook = @Hook,
            s.AlarmHookProcessId = @ProcessId,
            s.AlarmHookById = CASE WHEN @Hook IS NULL THEN NULL ELSE @UserId END,
            s.AlarmHookBySid = CASE WHEN @Hook IS NULL THEN NULL ELSE @UserSid END,
            s.AlarmHookByName = CASE WHEN @Hook IS NULL THEN NULL ELSE @UserName END,
            s.AlarmHookByLogin = CASE WHEN @Hook IS NULL THEN NULL ELSE @LoginName END,
            s.ChangedAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- Calls already queued for the previous hook still run.
        IF EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @OldProcessId AND p.FinishedAt IS NULL)
        BEGIN
            INSERT INTO {{.Schema}}.ProcessRequests WITH (ROWLOCK) (ProcessId, Action) VALUES (@OldProcessId, 'Close');
            EXEC {{.Schema}}.SendWake;
        END;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
