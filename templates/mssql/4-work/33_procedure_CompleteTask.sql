-- Procedure: CompleteTask
-- Purpose: Records how an attempt ended and decides what follows: retry, end, next wave, halted or finished process.
-- Changes nothing unless the attempt still belongs to @WorkerId; for a dead worker, the session that found it dead calls this.
-- Inside a transaction of the caller, joins it and raises errors.
-- Access: private
-- Parameters:
--   @TaskId bigint (required): the task
--   @Attempt int (required): number of the attempt
--   @ProcessId int (required): its process
--   @LogId bigint (required): its log row
--   @LaneId int (required): lane that ran it
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Outcome varchar(10) (required): Succeeded, Failed or Orphaned
--   @Rows bigint = NULL: rows of the last statement
--   @ErrorNumber int = NULL: error that ended the attempt
--   @ErrorMessage nvarchar(4000) = NULL: its text
--   @ErrorProcedure nvarchar(300) = NULL: procedure that raised it
--   @ErrorLine int = NULL: its line
--   @NoRetry bit = 0: 1 = no retry, even if attempts are left
--   @Lost bit OUTPUT: 1 = the attempt no longer belongs to this worker, or is an orphan that could not be recorded for half a minute
-- Errors: none raised outside a transaction; deadlocks, timeouts and similar errors are retried, with an alarm each minute. In the log of
-- an attempt that was stopped on purpose:
--   51028: the task was cancelled while it ran
--   51029: the task ran longer than its timeout
-- Example: see WorkLane
CREATE OR ALTER PROCEDURE {{.Schema}}.CompleteTask
    @TaskId bigint,
    @Attempt int,
    @ProcessId int,
    @LogId bigint,
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Outcome varchar(10),
    @Rows bigint = NULL,
    @ErrorNumber int = NULL,
    @ErrorMessage nvarchar(4000) = NULL,
    @ErrorProcedure nvarchar(300) = NULL,
    @ErrorLine int = NULL,
    @NoRetry bit = 0,
    @Lost bit OUTPUT
AS
BEGIN
    SET DEADLOCK_PRIORITY HIGH;
    DECLARE @MaxRetryDelay int, @MaxOrphans int, @OnError varchar(8), @ProcessStatus varchar(10), @Status varchar(10), @Order int,
            @Failures int, @Orphans int, @MaxAttempts int, @RetryDelay int, @OnOrphan varchar(5), @StopOutcome varchar(10), @TimeoutSeconds int,
            @NewStatus varchar(10), @LowestOrder int, @Pending int, @Delay bigint, @Now datetime2(3), @LogOutcome varchar(10),
            @Joined bit = CASE WHEN @@TRANCOUNT > 0 THEN 1 ELSE 0 END, @Tries int = 0, @Alarm nvarchar(2000), @ScheduleId int;

    WHILE 1 = 1
    BEGIN
        BEGIN TRY
            SELECT @Lost = 0, @OnError = 'Continue', @ProcessStatus = NULL, @Status = NULL, @NewStatus = 'Succeeded', @LowestOrder = NULL, @Pending = 0,
                   @Delay = 0, @ScheduleId = NULL, @LogOutcome = @Outcome, @Now = SYSUTCDATETIME();

            -- Before the transaction, because settings are locked before processes.
            IF @Outcome <> 'Succeeded'
                SELECT @MaxRetryDelay = s.MaxRetryDelaySeconds, @MaxOrphans = s.MaxOrphans
                FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.SettingsId = 1;

            BEGIN TRANSACTION;

            SELECT @OnError = p.OnError, @ProcessStatus = p.Status
            FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;

            IF @Outcome = 'Succeeded'
                UPDATE t
                SET @Status = t.Status,
                    @Order = t.ExecutionOrder,
                    t.Status = 'Succeeded',
                    t.LaneId = NULL,
                    t.WorkerId = NULL,
                    t.StopAt = NULL,
                    t.StopOutcome = NULL,
                    t.FinishedAt = @Now
                FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE t.TaskId = @TaskId AND t.Attempt = @Attempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');
            ELSE
                SELECT @Status = t.Status, @Order = t.ExecutionOrder, @Failures = t.Failures, @Orphans = t.Orphans,
                       @MaxAttempts = t.MaxAttempts, @RetryDelay = t.RetryDelaySeconds, @OnOrphan = t.OnOrphan,
                       @StopOutcome = t.StopOutcome, @TimeoutSeconds = t.TimeoutSeconds
                FROM {{.Schema}}.Tasks AS t WITH (UPDLOCK, ROWLOCK)
                WHERE t.TaskId = @TaskId AND t.Attempt = @Attempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');

            IF @Status IS NULL
                SET @Lost = 1;
            ELSE
            BEGIN
                IF @Outcome <> 'Succeeded'
                BEGIN
                    EXEC {{.Schema}}.DecideFailure
                        @Outcome, @Status, @StopOutcome, @ProcessStatus, @OnOrphan, @MaxOrphans, @MaxAttempts, @NoRetry, @RetryDelay, @MaxRetryDelay, @TimeoutSeconds,
                        @Failures OUTPUT, @Orphans OUTPUT, @NewStatus OUTPUT, @LogOutcome OUTPUT, @Delay OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT;

                    -- A retry must not touch, and so not lock, its entry in IX_Tasks_Unfinished: the barrier reads that index with
                    -- READPAST, and this transaction may release the process row before its other locks.
                    IF @NewStatus IN ('Pending', 'Waiting')
                        UPDATE t
                        SET t.Status = @NewStatus,
                            t.WaitReason = CASE WHEN @NewStatus = 'Waiting' THEN 'Retry' ELSE NULL END,
                            t.DueAt = CASE WHEN @NewStatus = 'Waiting' THEN DATEADD(second, CONVERT(int, @Delay), @Now) ELSE NULL END,
                            t.Failures = @Failures,
                            t.Orphans = @Orphans,
                            t.LaneId = NULL,
                            t.WorkerId = NULL,
                            t.StopAt = NULL,
                            t.StopOutcome = NULL
                        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                        WHERE t.TaskId = @TaskId;
                    ELSE
                        UPDATE t
                        SET t.Status = @NewStatus,
                            t.Failures = @Failures,
                            t.Orphans = @Orphans,
                            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL,
                            t.FinishedAt = @Now,
                            @ScheduleId = CASE WHEN t.ProcessId = 0 THEN TRY_CONVERT(int, LEFT(t.DedupKey, CHARINDEX(N'@', t.DedupKey + N'@') - 1)) END -- see FireSchedules
                        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                        WHERE t.TaskId = @TaskId;
                END;

                UPDATE g
                SET g.EndedAt = @Now, g.Outcome = @LogOutcome, g.RowsAffected = @Rows,
                    g.ErrorNumber = @ErrorNumber, g.ErrorMessage = @ErrorMessage, g.ErrorProcedure = @ErrorProcedure, g.ErrorLine = @ErrorLine
                FROM {{.Schema}}.Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE g.LogId = @LogId;

                IF @NewStatus IN ('Failed', 'TimedOut') AND @OnError = 'Halt' AND @ProcessStatus IN ('Open', 'Closing')
                BEGIN
                    EXEC {{.Schema}}.HaltProcess @ProcessId, @TaskId, @LaneId, @ErrorMessage;
                    SET @ProcessStatus = 'Failed';
                END
                ELSE IF @NewStatus IN ('Failed', 'TimedOut') AND @ProcessId = 0
                BEGIN
                    SET @Alarm = N'A schedule fired, but its process could not be made, see ScheduleLog. ' + ISNULL(LEFT(@ErrorMessage, 1500), N'');
                    EXEC {{.Schema}}.RaiseAlarm @Kind = 'ScheduleFailed', @Message = @Alarm, @ProcessId = 0, @TaskId = @TaskId, @LaneId = @LaneId;
                END;

                IF @ScheduleId IS NOT NULL
                    EXEC {{.Schema}}.NextFiring @ScheduleId;

                -- Release the task's resource, and any that it acquired itself, to the next in line. A retry joins the line again.
                IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK) WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @TaskId)
                    EXEC {{.Schema}}.LeaveResourceLine @ProcessId, @TaskId;

                -- The next wave may start when the lowest unfinished order changes.
                SELECT @LowestOrder = w.ExecutionOrder,
                       @Pending = (SELECT COUNT(*)
                                   FROM (SELECT TOP (2) t.TaskId
                                         FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                                         WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = w.ExecutionOrder AND t.Status = 'Pending') AS x)
                FROM (SELECT TOP (1) t.ExecutionOrder
                      FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                      WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
                      ORDER BY t.ExecutionOrder) AS w
                OPTION (MAXDOP 1);

                UPDATE p
                SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END,
                    p.TasksSucceeded = p.TasksSucceeded + CASE WHEN @NewStatus = 'Succeeded' THEN 1 ELSE 0 END,
                    p.TasksFailed = p.TasksFailed + CASE WHEN @NewStatus IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END,
                    p.HasWork = CASE WHEN @ProcessStatus NOT IN ('Open', 'Closing') THEN 0 WHEN @Pending > 0 THEN 1 ELSE p.HasWork END,
                    p.Status = CASE WHEN p.Status IN ('Open', 'Closing') THEN @ProcessStatus ELSE p.Status END,
                    p.FinishedAt = CASE WHEN p.FinishedAt IS NULL AND @ProcessStatus = 'Failed' THEN @Now ELSE p.FinishedAt END
                FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE p.ProcessId = @ProcessId;

                IF @ProcessStatus = 'Closing' AND @LowestOrder IS NULL
                    EXEC {{.Schema}}.CloseIfDone @ProcessId;

                UPDATE l
                SET l.TaskId = NULL, l.Attempt = NULL
                FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

                -- A new wave needs more workers than this one; a retry needs the timer; an orphan needs a worker.
                IF (@LowestOrder > @Order AND @Pending >= 2) OR @NewStatus = 'Waiting' OR (@Outcome = 'Orphaned' AND @Pending > 0)
                    EXEC {{.Schema}}.SendWake;
            END;

            COMMIT TRANSACTION;
            RETURN 0;
        END TRY
        BEGIN CATCH
            -- The caller must first roll back the work of the transactional task.
            IF @Joined = 1
                THROW;

            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            -- The work is done and must not be done twice, so its own worker never gives up. A session that reports a dead
            -- worker does, and the next sweep tries again.
            SET @Tries = @Tries + 1;
            IF @Tries % 20 = 16
            BEGIN
                SET @Alarm = N'The end of an attempt cannot be recorded, and is retried: ' + CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + LEFT(ERROR_MESSAGE(), 1500);
                BEGIN TRY
                    EXEC {{.Schema}}.RaiseAlarm @Kind = 'LostCompletion', @Message = @Alarm, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;
                END TRY
                BEGIN CATCH
                    IF XACT_STATE() <> 0
                        ROLLBACK TRANSACTION;
                END CATCH;

                IF @Outcome = 'Orphaned'
                BEGIN
                    SET @Lost = 1;
                    RETURN 0;
                END;
            END;

            IF @Tries <= 5
                WAITFOR DELAY '00:00:00.050';
            ELSE
                WAITFOR DELAY '00:00:03';
        END CATCH;
    END;
END;
