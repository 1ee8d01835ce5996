-- Procedure: OrderCancel
-- Purpose: Cancels one task, or a process with all its tasks. Tasks that have not started become Cancelled at once; for running
-- tasks the dispatcher ends the session. Ended tasks do not change.
-- Access: private; runs as the owner.
-- Parameters:
--   @TaskId bigint = NULL: the task; NULL = a whole process
--   @ProcessId int = NULL: the process; NULL = the process of the task
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the task or process is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
CREATE OR ALTER PROCEDURE {{.Schema}}.OrderCancel
    @TaskId bigint = NULL,
    @ProcessId int = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
{{.CallerAlone}}    SET LOCK_TIMEOUT 5000;
    DECLARE @ScheduleId int, @Mine bit, @Found bit = 0, @ProcessStatus varchar(10), @Now datetime2(3) = SYSUTCDATETIME();
    DECLARE @Ordered TABLE (TaskId bigint NOT NULL PRIMARY KEY);

    BEGIN TRY
        -- Check the owner before taking any lock that workers need.
        IF @TaskId IS NOT NULL
            SELECT @Found = 1, @ProcessId = t.ProcessId, @Mine = CASE WHEN t.EnqueuedBySid = @UserSid THEN 1 ELSE 0 END,
                   @ScheduleId = CASE WHEN t.ProcessId = 0 THEN TRY_CONVERT(int, LEFT(t.DedupKey, CHARINDEX(N'@', t.DedupKey + N'@') - 1)) END
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;
        ELSE
            SELECT @Found = 1, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;

        IF @Found = 0 AND @TaskId IS NOT NULL
            THROW 51024, N'dbsched 51024: there is no such task. See TaskInfo.', 1;
        IF @Found = 0
            THROW 51004, N'dbsched 51004: there is no such process. See ProcessInfo.', 1;
        IF @IsAdmin = 0 AND @Mine = 0 AND @TaskId IS NOT NULL
            THROW 51025, N'dbsched 51025: the task belongs to another user. Ask an administrator.', 1;
        IF @IsAdmin = 0 AND @Mine = 0
            THROW 51006, N'dbsched 51006: the process belongs to another user. Ask an administrator.', 1;

        BEGIN TRANSACTION;

        SELECT @ProcessStatus = p.Status
        FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        -- The process first, as when it is halted (see FailTask). Its requests have no effect from now on.
        IF @TaskId IS NULL
            UPDATE p
            SET p.Status = 'Cancelled', p.FinishedAt = @Now, p.HasWork = 0, @ScheduleId = p.ScheduleId
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
            WHERE p.ProcessId = @ProcessId AND p.FinishedAt IS NULL;

        -- READPAST: uncommitted tasks do not exist yet. When they commit, the sweep skips those of an ended process.
        IF @TaskId IS NOT NULL
            INSERT INTO @Ordered (TaskId) VALUES (@TaskId);
        ELSE
            INSERT INTO @Ordered (TaskId)
            SELECT t.TaskId
            FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
            WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
            OPTION (MAXDOP 1);

        -- FORCESEEK: for many tasks SQL Server would scan the table and wait for other sessions' uncommitted rows.
        -- StopAt now: the dispatcher ends the sessions. Cancelled overrides TimedOut, which might be retried.
        UPDATE t
        SET t.Status = 'Stopping', t.StopOutcome = 'Cancelled', t.StopAt = CASE WHEN t.Status = 'Running' THEN @Now ELSE t.StopAt END
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN @Ordered AS o ON o.TaskId = t.TaskId
        WHERE t.Status IN ('Running', 'Stopping');

        UPDATE t
        SET t.Status = 'Cancelled', t.WaitReason = NULL, t.DueAt = NULL, t.FinishedAt = @Now
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN @Ordered AS o ON o.TaskId = t.TaskId
        WHERE t.Status IN ('Pending', 'Waiting');

        EXEC {{.Schema}}.LeaveResourceLine @ProcessId;

        -- The next wave may start, or the process may be done.
        IF @ProcessStatus IN ('Open', 'Closing') AND @TaskId IS NOT NULL
        BEGIN
            UPDATE p SET p.HasWork = 1 FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
            EXEC {{.Schema}}.CloseIfDone @ProcessId;
        END;

        IF @ScheduleId IS NOT NULL
            EXEC {{.Schema}}.NextFiring @ScheduleId;

        EXEC {{.Schema}}.WakeOnce;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        IF ERROR_NUMBER() <> 1222
            THROW;
        THROW 51011, N'dbsched 51011: the task or process is locked by a transaction that has not ended. Try again after it commits.', 1;
    END CATCH;
END;
