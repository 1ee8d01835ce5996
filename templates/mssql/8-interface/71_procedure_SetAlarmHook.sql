-- Procedure: SetAlarmHook
-- Purpose: Names a procedure of yours that is called for every alarm from now on, to tell somebody, or NULL for none. It runs as you,
-- as a task: in a process of its own that is called "alarm hook", one call at a time, for at most 300 seconds, three times if it
-- fails. It can do no harm to the scheduler, and is called while that is started. Its errors are in LogInfo. An installation or an
-- upgrade keeps it. It must have a parameter @AlarmId bigint, by which it finds the alarm in AlarmInfo.
-- Access: public: dbsched_admin
-- Parameters:
--   @Procedure nvarchar(517) = NULL: schema and name, both in brackets or neither; NULL = no hook
-- Errors:
--   51007: the caller is no database user who can be impersonated
--   51010: called inside a transaction
--   51060: there is no such procedure, you may not execute it, or it has no parameter @AlarmId
-- Example: EXEC (N'CREATE PROCEDURE dbo.OnAlarm @AlarmId bigint AS INSERT INTO dbo.Pager (Text) SELECT a.AlarmText FROM dbsched.AlarmInfo AS a WHERE a.AlarmId = @AlarmId;'); EXEC dbsched.SetAlarmHook N'dbo.OnAlarm';
CREATE OR ALTER PROCEDURE {{.Schema}}.SetAlarmHook
    @Procedure nvarchar(517) = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "SetAlarmHook" ""}}

{{.SetOptions}}
{{.CallerAlone}}    DECLARE @Hook nvarchar(517), @OldProcessId int, @ProcessId int, @Same bit;

    EXECUTE AS CALLER;

    -- In the catalogue a caller sees what he has a right to. Names, not the text: it becomes part of a batch.
    SELECT @Hook = QUOTENAME(s.name) + N'.' + QUOTENAME(p.name)
    FROM sys.procedures AS p
    INNER JOIN sys.schemas AS s ON s.schema_id = p.schema_id
    INNER JOIN sys.parameters AS a ON a.object_id = p.object_id AND a.name = N'@AlarmId'
    WHERE @Procedure IN (s.name + N'.' + p.name, QUOTENAME(s.name) + N'.' + QUOTENAME(p.name))
      AND HAS_PERMS_BY_NAME(QUOTENAME(s.name) + N'.' + QUOTENAME(p.name), N'OBJECT', N'EXECUTE') = 1;

    REVERT;

    IF @Procedure IS NOT NULL AND @Hook IS NULL
        THROW 51060, N'dbsched 51060: @Procedure must be schema.name of a procedure of this database that you may execute and that has a parameter @AlarmId.', 1;

    IF @Hook IS NOT NULL AND @UserSid IS NULL
        THROW 51007, N'dbsched 51007: the hook runs as the database user who sets it, and you are none that can be impersonated. Create one: CREATE USER ... FOR LOGIN ...;', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @OldProcessId = s.AlarmHookProcessId,
               @Same = CASE WHEN s.AlarmHook = @Hook AND s.AlarmHookById = @UserId AND s.AlarmHookBySid = @UserSid AND s.AlarmHookByName = @UserName THEN 1 ELSE 0 END
        FROM {{.Schema}}.Settings AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The same again changes nothing, unless somebody has ended the process.
        IF @Same = 1
           AND EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @OldProcessId AND p.Status = 'Open' AND p.CloseRequested = 0)
        BEGIN
            COMMIT TRANSACTION;
            RETURN 0;
        END;

        -- One at a time: a hook that hangs costs one worker.
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

        -- What the hook before had still to say, it says.
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
