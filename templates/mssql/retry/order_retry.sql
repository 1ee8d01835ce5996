-- Procedure: OrderRetry
-- Purpose: Runs one task again, or all Failed, TimedOut and Skipped tasks of a process. An ended process is Open again, or
-- Closing if CloseProcess was called.
-- Access: private; runs as the owner.
-- Parameters:
--   @TaskId bigint = NULL: the task; NULL = a whole process
--   @ProcessId int = NULL: the process; NULL = the process of the task
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the task or process is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user, or so does one that failed or was skipped in the process
--   51027: nothing to retry, the process was purged, cancelled tasks have not ended yet, or the task makes the process of a firing
CREATE OR ALTER PROCEDURE {{.Schema}}.OrderRetry
    @TaskId bigint = NULL,
    @ProcessId int = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
{{.CallerAlone}}    SET LOCK_TIMEOUT 5000;
    DECLARE @Mine bit, @Found bit = 0, @ProcessStatus varchar(10), @Failed int, @Rows int;
    DECLARE @Again TABLE (TaskId bigint NOT NULL PRIMARY KEY, Status varchar(10) COLLATE Latin1_General_BIN2 NOT NULL);

    BEGIN TRY
        IF @TaskId IS NOT NULL
            SELECT @Found = 1, @ProcessId = t.ProcessId, @Mine = CASE WHEN t.EnqueuedBySid = @UserSid THEN 1 ELSE 0 END
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;
        ELSE
            SELECT @Found = 1, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;

        IF @Found = 0 AND @TaskId IS NOT NULL
            THROW 51024, N'dbsched 51024: there is no such task. See TaskInfo.', 1;
        IF @Found = 0 OR (@TaskId IS NULL AND @ProcessId = 0)
            THROW 51004, N'dbsched 51004: there is no such process. See ProcessInfo.', 1;
        IF @IsAdmin = 0 AND @Mine = 0 AND @TaskId IS NOT NULL
            THROW 51025, N'dbsched 51025: the task belongs to another user. Ask an administrator.', 1;
        IF @ProcessId = 0
            THROW 51027, N'dbsched 51027: the task of a firing cannot be retried. To start the schedule now, call RunSchedule.', 1;
        IF @IsAdmin = 0 AND @Mine = 0
            THROW 51006, N'dbsched 51006: the process belongs to another user. Ask an administrator.', 1;

        BEGIN TRANSACTION;

        SELECT @ProcessStatus = p.Status
        FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        -- A task that ended after its process was halted is kept longer than the process.
        IF @ProcessStatus IS NULL
            THROW 51027, N'dbsched 51027: the process of this task was purged, so the task cannot be retried. Enqueue it again.', 1;

        IF @ProcessStatus = 'Cancelled' AND EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND t.Status = 'Stopping')
            THROW 51027, N'dbsched 51027: tasks of the cancelled process have not ended yet. Try again after they end.', 1;

        -- For a process: Failed, TimedOut and Skipped tasks, but no duplicates of other tasks. For a Cancelled process
        -- the Cancelled tasks too.
        IF @TaskId IS NOT NULL
            INSERT INTO @Again (TaskId, Status)
            SELECT t.TaskId, t.Status
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId AND t.Status IN ('Failed', 'TimedOut', 'Cancelled', 'Skipped');
        ELSE
            INSERT INTO @Again (TaskId, Status)
            SELECT t.TaskId, t.Status
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Failed))
            WHERE t.ProcessId = @ProcessId AND t.Status IN ('Failed', 'TimedOut', 'Cancelled', 'Skipped')
              AND (t.Status <> 'Cancelled' OR @ProcessStatus = 'Cancelled')
              AND t.DuplicateOf IS NULL
            OPTION (MAXDOP 1);

        -- Others' tasks run with others' rights. Without them the process could not go on where it failed.
        IF @IsAdmin = 0 AND EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
                                    INNER JOIN @Again AS a ON a.TaskId = t.TaskId WHERE t.EnqueuedBySid <> @UserSid)
            THROW 51025, N'dbsched 51025: tasks of another user failed or were skipped in the process. Ask an administrator, or call RetryTask.', 1;

        SELECT @Rows = COUNT(*), @Failed = ISNULL(SUM(CASE WHEN a.Status IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END), 0)
        FROM @Again AS a;

        IF @Rows = 0 AND (@TaskId IS NOT NULL OR @ProcessStatus NOT IN ('Failed', 'Cancelled'))
            THROW 51027, N'dbsched 51027: there is nothing to retry. Only Failed, TimedOut, Cancelled or Skipped tasks can be retried; see TaskInfo.', 1;

        -- One TransactionId for all: if a commit releases the locks one by one, no claim mistakes a later wave for the first
        -- (see ChooseTask).
        UPDATE t
        SET t.Status = 'Pending', t.Failures = 0, t.Orphans = 0, t.OutageSince = NULL, t.FinishedAt = NULL, t.TransactionId = CURRENT_TRANSACTION_ID()
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN @Again AS a ON a.TaskId = t.TaskId;

        UPDATE p
        SET p.Status = CASE WHEN p.Status = 'Suspended' THEN 'Suspended' WHEN p.CloseRequested = 1 THEN 'Closing' ELSE 'Open' END,
            p.FinishedAt = NULL,
            p.HasWork = 1,
            p.WaveOrder = NULL,
            p.TasksFailed = CASE WHEN p.TasksFailed > @Failed THEN p.TasksFailed - @Failed ELSE 0 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

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
