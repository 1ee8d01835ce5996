-- Procedure: CallAlarmHook
-- Purpose: Enqueues a task that calls the alarm hook, if one is set. It is a task because the hook is foreign code: it may fail,
-- hang or leave a transaction open, and the session that raises an alarm may hold locks that all workers need.
-- Joins an open transaction, if there is one, and waits for no other session.
-- Access: private
-- Parameters:
--   @AlarmId bigint (required): the alarm
--   @ProcessId int (required): process of the alarm; NULL = none
-- Errors: none raised, unless the caller's transaction can no longer commit
CREATE OR ALTER PROCEDURE {{.Schema}}.CallAlarmHook
    @AlarmId bigint,
    @ProcessId int
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @Hook nvarchar(517), @HookProcessId int, @UserId int, @UserSid varbinary(85), @UserName nvarchar(128), @LoginName nvarchar(128);
    DECLARE @Own bit = 0, @TaskId bigint;

    BEGIN TRY
        -- NOLOCK, here and on the process: otherwise this would wait for a StopScheduler that waits for claims, which wait
        -- for the process row that the caller may hold.
        SELECT @Hook = s.AlarmHook, @HookProcessId = s.AlarmHookProcessId,
               @UserId = s.AlarmHookById, @UserSid = s.AlarmHookBySid, @UserName = s.AlarmHookByName, @LoginName = s.AlarmHookByLogin
        FROM {{.Schema}}.Settings AS s WITH (NOLOCK)
        WHERE s.SettingsId = 1;

        -- An alarm about the hook's own tasks must not call the hook again. A closed process accepts no tasks.
        IF @Hook IS NULL OR @HookProcessId = @ProcessId
           OR NOT EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @HookProcessId AND p.Status = 'Open')
            RETURN 0;

        IF @@TRANCOUNT = 0
        BEGIN
            SET @Own = 1;
            BEGIN TRANSACTION;
        END;

        INSERT INTO {{.Schema}}.Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, SqlText, MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, TransactionId)
        VALUES
            (@HookProcessId, 0, 0, 0, {{.Rank "0" "0" "0"}}, 'Pending',
             N'EXEC ' + @Hook + N' @AlarmId = ' + CONVERT(nvarchar(20), @AlarmId) + N';', 3, 60, 300, 'Retry',
             @UserId, @UserSid, @UserName, @LoginName, CURRENT_TRANSACTION_ID());

        SET @TaskId = SCOPE_IDENTITY();
        EXEC {{.Schema}}.WakeOnce @TaskId;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        -- Keep the alarm itself if the caller's transaction can still commit.
        IF XACT_STATE() = -1
            THROW;
    END CATCH;

    RETURN 0;
END;
