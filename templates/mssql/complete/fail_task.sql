-- Procedure: FailTask
-- Purpose: Records an attempt that did not succeed, and what follows: a retry, or the end of the task and perhaps of its process.
-- Access: private; part of CompleteAttempt's transaction.
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @LaneId int (required): lane that ran it
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Outcome varchar(10) (required): Failed, Orphaned or Outage
--   @Rows bigint (required): rows of the last statement
--   @ErrorNumber int (required): error that ended the attempt
--   @ErrorMessage nvarchar(4000) (required): its text
--   @ErrorProcedure nvarchar(300) (required): procedure that raised it
--   @ErrorLine int (required): its line
--   @Order int OUTPUT: wave of the task; NULL = the attempt no longer belongs to @WorkerId
-- Errors: none raised. An alarm tells of this error of a task:
--   51037: REVERT in the task undid more than the task's own EXECUTE AS
CREATE OR ALTER PROCEDURE {{.Schema}}.FailTask
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Outcome varchar(10),
    @Rows bigint,
    @ErrorNumber int,
    @ErrorMessage nvarchar(4000),
    @ErrorProcedure nvarchar(300),
    @ErrorLine int,
    @Order int OUTPUT
AS
BEGIN
    DECLARE @Status varchar(10), @LogOutcome varchar(10), @Delay bigint, @Ended bit = 0, @Halts bit, @Now datetime2(3) = SYSUTCDATETIME();
    DECLARE @ScheduleId int, @Alarm nvarchar(2000);

    SET @Order = NULL;

    EXEC {{.Schema}}.DecideRetry @ProcessId, @TaskId, @LogId, @WorkerId, @Outcome, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT,
                                 @Status OUTPUT, @LogOutcome OUTPUT, @Delay OUTPUT;
    IF @Status IS NULL
        RETURN;

    -- A retry must not touch, and so not lock, its entry in IX_Tasks_Unfinished: the barrier reads that index with READPAST, and this
    -- transaction may release the process row before its other locks.
    IF @Status IN ('Pending', 'Waiting')
        UPDATE t
        SET @Order = t.ExecutionOrder, t.Status = @Status,
            t.Failures = t.Failures + CASE WHEN @LogOutcome IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END,
            t.Orphans = t.Orphans + CASE WHEN @LogOutcome = 'Orphaned' THEN 1 ELSE 0 END,
            t.OutageSince = CASE WHEN @Outcome = 'Outage' THEN ISNULL(t.OutageSince, @Now) END,
            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL,
            t.WaitReason = CASE WHEN @LogOutcome = 'Outage' THEN 'Outage' WHEN @Status = 'Waiting' THEN 'Retry' END,
            t.DueAt = CASE WHEN @Status = 'Waiting' THEN DATEADD(second, CONVERT(int, @Delay), @Now) END
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;
    ELSE
        UPDATE t
        SET @Order = t.ExecutionOrder, t.Status = @Status,
            t.Failures = t.Failures + CASE WHEN @LogOutcome IN ('Failed', 'TimedOut') THEN 1 ELSE 0 END,
            t.Orphans = t.Orphans + CASE WHEN @LogOutcome = 'Orphaned' THEN 1 ELSE 0 END,
            t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL, t.FinishedAt = @Now,
            -- The key of a schedule's task, see FireSchedules.
            @ScheduleId = CASE WHEN t.ProcessId = 0 THEN TRY_CONVERT(int, LEFT(t.DedupKey, CHARINDEX(N'@', t.DedupKey + N'@') - 1)) END
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

    UPDATE g
    SET g.EndedAt = @Now, g.Outcome = @LogOutcome, g.RowsAffected = @Rows,
        g.ErrorNumber = @ErrorNumber, g.ErrorMessage = @ErrorMessage, g.ErrorProcedure = @ErrorProcedure, g.ErrorLine = @ErrorLine
    FROM {{.Schema}}.Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE g.LogId = @LogId;

    IF @Status IN ('Failed', 'TimedOut')
        SET @Ended = 1;

    UPDATE p
    SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END,
        p.TasksFailed = p.TasksFailed + @Ended,
        p.WaveOrder = CASE WHEN @Status <> 'Pending' THEN p.WaveOrder END,
        @Halts = CASE WHEN p.OnError = 'Halt' AND p.Status IN ('Open', 'Closing') THEN @Ended ELSE 0 END
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    IF @Halts = 1
        EXEC {{.Schema}}.HaltProcess @ProcessId, @TaskId, @LaneId, @ErrorMessage;
    ELSE IF @Ended = 1 AND @ProcessId = 0
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
    IF @Status = 'Waiting'
        EXEC {{.Schema}}.WakeOnce;

    -- The task's resource, and any that it acquired itself. A retry joins the line again.
    IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK)
               WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @TaskId)
        EXEC {{.Schema}}.LeaveResourceLine @ProcessId, @TaskId;
END;
