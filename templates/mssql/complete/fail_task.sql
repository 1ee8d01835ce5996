-- Procedure: FailTask
-- Purpose: Records an attempt that did not succeed and decides what follows: retry, end, halted process.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @TaskId bigint (required): the task
--   @Attempt int (required): number of the attempt
--   @ProcessId int (required): its process
--   @LogId bigint (required): its log row
--   @LaneId int (required): lane that ran it
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Outcome varchar(10) (required): Failed, Orphaned or Outage
--   @Rows bigint (required): rows of the last statement
--   @ErrorNumber int (required): error that ended the attempt
--   @ErrorMessage nvarchar(4000) (required): its text
--   @ErrorProcedure nvarchar(300) (required): procedure that raised it
--   @ErrorLine int (required): its line
--   @NoRetry bit (required): 1 = no retry, even if attempts are left
--   @Order int OUTPUT: wave of the task; NULL = the attempt no longer belongs to @WorkerId
--   @Holds bit OUTPUT: 1 = the task holds resources
-- Errors: none raised. In the log of an attempt that was stopped on purpose:
--   51028: the task was cancelled while it ran
--   51029: the task ran longer than its timeout
--   An alarm tells of this error of a task:
--   51037: REVERT in the task undid more than the task's own EXECUTE AS
CREATE OR ALTER PROCEDURE {{.Schema}}.FailTask
    @TaskId bigint,
    @Attempt int,
    @ProcessId int,
    @LogId bigint,
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Outcome varchar(10),
    @Rows bigint,
    @ErrorNumber int,
    @ErrorMessage nvarchar(4000),
    @ErrorProcedure nvarchar(300),
    @ErrorLine int,
    @NoRetry bit,
    @Order int OUTPUT,
    @Holds bit OUTPUT
AS
BEGIN
    DECLARE @MaxRetryDelay int, @MaxOrphans int, @OutageSeconds int, @OnError varchar(8), @ProcessStatus varchar(10), @Status varchar(10),
            @Failures int, @Orphans int, @MaxAttempts int, @RetryDelay int, @OnOrphan varchar(5), @StopOutcome varchar(10), @TimeoutSeconds int,
            @NewStatus varchar(10),
            @Delay bigint = 0, @LogOutcome varchar(10) = CASE @Outcome WHEN 'Outage' THEN 'Failed' ELSE @Outcome END,
            @Now datetime2(3) = SYSUTCDATETIME(), @Alarm nvarchar(2000), @ScheduleId int,
            @OutageSince datetime2(3), @Lasts int;

    SELECT @MaxRetryDelay = s.MaxRetryDelaySeconds, @MaxOrphans = s.MaxOrphans, @OutageSeconds = s.OutageSeconds
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SELECT @OnError = p.OnError, @ProcessStatus = p.Status
    FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    SELECT @Status = t.Status, @Order = t.ExecutionOrder, @Failures = t.Failures, @Orphans = t.Orphans,
           @MaxAttempts = t.MaxAttempts, @RetryDelay = t.RetryDelaySeconds, @OnOrphan = t.OnOrphan,
           @StopOutcome = t.StopOutcome, @TimeoutSeconds = t.TimeoutSeconds,
           @OutageSince = CASE @Outcome WHEN 'Outage' THEN ISNULL(t.OutageSince, @Now) END, @Lasts = DATEDIFF(second, t.OutageSince, @Now),
           @Holds = CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK)
                                      WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @TaskId) THEN 1 ELSE 0 END
    FROM {{.Schema}}.Tasks AS t WITH (UPDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId AND t.Attempt = @Attempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');

    IF @Status IS NULL
        RETURN;

    IF @Status = 'Stopping' AND ISNULL(@StopOutcome, 'Cancelled') = 'Cancelled'
        SELECT @NewStatus = 'Cancelled', @LogOutcome = 'Cancelled';
    ELSE IF @Status <> 'Stopping' AND @Outcome = 'Orphaned'
    BEGIN
        SET @Orphans = @Orphans + 1;
        SET @NewStatus = CASE WHEN @OnOrphan = 'Retry' AND @Orphans <= @MaxOrphans AND @ProcessStatus IN ('Open', 'Closing') THEN 'Pending' ELSE 'Failed' END;
    END
    -- Not the task's fault: it waits a minute, then as long as it has waited, at most ten minutes.
    ELSE IF @Status <> 'Stopping' AND @Outcome = 'Outage' AND @ProcessStatus IN ('Open', 'Closing') AND ISNULL(@Lasts, 0) < @OutageSeconds
        SELECT @NewStatus = 'Waiting', @LogOutcome = 'Outage',
               @Delay = CASE WHEN @Lasts > 600 THEN 600 WHEN @Lasts > 60 THEN @Lasts ELSE 60 END;
    ELSE
    BEGIN
        -- A timeout is a failure, however the attempt ended after it.
        SET @Failures = @Failures + 1;
        SET @NewStatus = 'Failed';
        IF @Status = 'Stopping'
            SELECT @NewStatus = 'TimedOut', @LogOutcome = 'TimedOut';
        IF @Failures < @MaxAttempts AND @NoRetry = 0 AND @ProcessStatus IN ('Open', 'Closing')
        BEGIN
            SET @Delay = @RetryDelay * POWER(CONVERT(bigint, 2), CASE WHEN @Failures > 20 THEN 19 ELSE @Failures - 1 END);
            IF @Delay > @MaxRetryDelay
                SET @Delay = @MaxRetryDelay;
            SET @NewStatus = CASE WHEN @Delay > 0 THEN 'Waiting' ELSE 'Pending' END;
        END;
    END;

    -- Report why the session was ended, not that it died.
    IF @Status = 'Stopping' AND @Outcome = 'Orphaned' AND @NewStatus = 'Cancelled'
        SELECT @ErrorNumber = 51028, @ErrorMessage = N'dbsched 51028: the task was cancelled while it was running.';
    ELSE IF @Status = 'Stopping' AND @Outcome = 'Orphaned'
        SELECT @ErrorNumber = 51029, @ErrorMessage = N'dbsched 51029: the task ran longer than its @TimeoutSeconds, ' + CONVERT(nvarchar(20), @TimeoutSeconds) + N' seconds, and was ended.';

    -- A retry must not touch, and so not lock, its entry in IX_Tasks_Unfinished: the barrier reads that index with READPAST, and this
    -- transaction may release the process row before its other locks.
    IF @NewStatus IN ('Pending', 'Waiting')
        UPDATE t
        SET t.Status = @NewStatus, t.Failures = @Failures, t.Orphans = @Orphans, t.OutageSince = @OutageSince,
            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL,
            t.WaitReason = CASE WHEN @LogOutcome = 'Outage' THEN 'Outage' WHEN @NewStatus = 'Waiting' THEN 'Retry' ELSE NULL END,
            t.DueAt = CASE WHEN @NewStatus = 'Waiting' THEN DATEADD(second, CONVERT(int, @Delay), @Now) ELSE NULL END
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;
    ELSE
        UPDATE t
        SET t.Status = @NewStatus, t.Failures = @Failures, t.Orphans = @Orphans,
            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL,
            t.FinishedAt = @Now,
            @ScheduleId = CASE WHEN t.ProcessId = 0 THEN TRY_CONVERT(int, LEFT(t.DedupKey, CHARINDEX(N'@', t.DedupKey + N'@') - 1)) END -- see FireSchedules
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

    UPDATE g
    SET g.EndedAt = @Now, g.Outcome = @LogOutcome, g.RowsAffected = @Rows,
        g.ErrorNumber = @ErrorNumber, g.ErrorMessage = @ErrorMessage, g.ErrorProcedure = @ErrorProcedure, g.ErrorLine = @ErrorLine
    FROM {{.Schema}}.Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE g.LogId = @LogId;

    UPDATE p
    SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END,
        p.TasksFailed = p.TasksFailed + CASE WHEN @NewStatus IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END,
        p.WaveOrder = CASE WHEN @NewStatus <> 'Pending' THEN p.WaveOrder END
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    IF @NewStatus IN ('Failed', 'TimedOut') AND @OnError = 'Halt' AND @ProcessStatus IN ('Open', 'Closing')
        EXEC {{.Schema}}.HaltProcess @ProcessId, @TaskId, @LaneId, @ErrorMessage;
    ELSE IF @NewStatus IN ('Failed', 'TimedOut') AND @ProcessId = 0
    BEGIN
        SET @Alarm = N'A schedule fired, but its process could not be made, see ScheduleLog. ' + ISNULL(LEFT(@ErrorMessage, 1500), N'');
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'ScheduleFailed', @Message = @Alarm, @ProcessId = 0, @TaskId = @TaskId, @LaneId = @LaneId;
    END;

    IF @ScheduleId IS NOT NULL
        EXEC {{.Schema}}.NextFiring @ScheduleId;

    -- Without the task's number: one alarm for all tasks with the same trouble.
    IF @LogOutcome = 'Outage'
    BEGIN
        SET @Alarm = N'The server could not begin a task, which is not the task''s fault. Such tasks wait (WaitReason Outage) and are tried again,'
                   + N' for OutageSeconds at most. ' + LEFT(@ErrorMessage, 1500);
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'Outage', @Message = @Alarm, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;
    END;

    IF @ErrorNumber = 51037
        EXEC {{.Schema}}.RaiseAlarm @Kind = 'WorkerError', @Message = @ErrorMessage, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;

    -- A retry needs the timer.
    IF @NewStatus = 'Waiting'
        EXEC {{.Schema}}.WakeOnce;
END;
