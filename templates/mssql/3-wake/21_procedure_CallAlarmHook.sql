-- Procedure: CallAlarmHook
-- Purpose: Enqueues the task that calls the administrator's alarm hook, if there is one. A task, because the hook is foreign
-- code: it may fail, hang or leave a transaction open, and whoever raises an alarm may hold locks that all workers need.
-- Joins the transaction that is open, if any, and waits for nobody.
-- Access: private
-- Parameters:
--   @AlarmId bigint (required): the alarm
--   @ProcessId int (required): process that the alarm is about, NULL = none
-- Errors: none raised, unless the transaction is lost anyway
-- Example: EXEC dbsched.CallAlarmHook 17, NULL;
CREATE OR ALTER PROCEDURE {{.Schema}}.CallAlarmHook
    @AlarmId bigint,
    @ProcessId int
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @Hook nvarchar(517), @HookProcessId int, @UserId int, @UserSid varbinary(85), @UserName nvarchar(128), @LoginName nvarchar(128);
    DECLARE @Own bit = 0;

    BEGIN TRY
        -- NOLOCK: a StopScheduler that waits for claims would make this wait, and the claims wait for the process row that the
        -- caller may hold. Nor is the process looked at with locks.
        SELECT @Hook = s.AlarmHook, @HookProcessId = s.AlarmHookProcessId,
               @UserId = s.AlarmHookById, @UserSid = s.AlarmHookBySid, @UserName = s.AlarmHookByName, @LoginName = s.AlarmHookByLogin
        FROM {{.Schema}}.Settings AS s WITH (NOLOCK)
        WHERE s.SettingsId = 1;

        -- An alarm about the hook's own tasks must not call it again, and a process that was closed takes none.
        IF @Hook IS NULL OR @HookProcessId = @ProcessId
           OR NOT EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @HookProcessId AND p.Status = 'Open')
            RETURN 0;

        IF @@TRANCOUNT = 0
        BEGIN
            SET @Own = 1;
            BEGIN TRANSACTION;
        END;

        INSERT INTO {{.Schema}}.Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, SqlText, MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, TransactionId)
        VALUES
            (@HookProcessId, 0, 0, 0, 'Pending', N'EXEC ' + @Hook + N' @AlarmId = ' + CONVERT(nvarchar(20), @AlarmId) + N';', 3, 60, 300, 'Retry',
             @UserId, @UserSid, @UserName, @LoginName, CURRENT_TRANSACTION_ID());

        EXEC {{.Schema}}.SendWake;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        -- The alarm itself stands, if the caller's transaction still can be committed.
        IF XACT_STATE() = -1
            THROW;
    END CATCH;

    RETURN 0;
END;
