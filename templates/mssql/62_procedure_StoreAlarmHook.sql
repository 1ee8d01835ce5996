-- Procedure: StoreAlarmHook
-- Purpose: Records the alarm hook and whose it is, with a process for the tasks that call it.
-- Access: private; as the owner.
-- Parameters:
--   @Hook nvarchar(517) (required): schema and name, quoted, NULL = none
--   @UserId int (required): principal who sets it
--   @UserName nvarchar(128) (required): its name
--   @LoginName nvarchar(128) (required): login behind it
-- Errors:
--   51007: the user cannot be impersonated later
-- Example: see SetAlarmHook
CREATE OR ALTER PROCEDURE {{.Schema}}.StoreAlarmHook
    @Hook nvarchar(517),
    @UserId int,
    @UserName nvarchar(128),
    @LoginName nvarchar(128)
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
    DECLARE @UserSid varbinary(85), @OldHook nvarchar(517), @OldProcessId int, @OldUserId int, @OldUserName nvarchar(128), @ProcessId int;

    SELECT @UserSid = p.sid
    FROM sys.database_principals AS p
    WHERE p.principal_id = @UserId AND p.name = @UserName AND p.principal_id <> 2 AND p.type IN ('S', 'U', 'E');

    IF @Hook IS NOT NULL AND @UserSid IS NULL
        THROW 51007, N'dbsched 51007: the hook runs as the database user who sets it, and you are none that can be impersonated. Create one: CREATE USER ... FOR LOGIN ...;', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @OldHook = s.AlarmHook, @OldProcessId = s.AlarmHookProcessId, @OldUserId = s.AlarmHookById, @OldUserName = s.AlarmHookByName
        FROM {{.Schema}}.Settings AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The same again changes nothing, unless somebody has ended the process.
        IF @OldHook = @Hook AND @OldUserId = @UserId AND @OldUserName = @UserName
           AND EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @OldProcessId AND p.Status = 'Open' AND p.CloseRequested = 0)
        BEGIN
            COMMIT TRANSACTION;
            RETURN 0;
        END;

        -- One at a time: a hook that hangs costs one worker.
        IF @Hook IS NOT NULL
        BEGIN
            INSERT INTO {{.Schema}}.Processes WITH (ROWLOCK)
                (Name, Status, Priority, MaxParallel, OnError, CreatedById, CreatedByName, CreatedByLogin)
            VALUES
                (N'alarm hook', 'Open', 1000000, 1, 'Continue', @UserId, @UserName, @LoginName);

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
