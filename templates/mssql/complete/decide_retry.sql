-- Procedure: DecideRetry
-- Purpose: What becomes of a task whose attempt did not succeed: it runs again, at once or later, or ends. Locks the process and the task.
-- Access: private; part of CompleteAttempt's transaction.
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Outcome varchar(10) (required): Failed, Orphaned or Outage
--   @ErrorNumber int OUTPUT: error that ended the attempt; if it was stopped on purpose, 51028 or 51029 instead of 51023
--   @ErrorMessage nvarchar(4000) OUTPUT: its text
--   @Status varchar(10) OUTPUT: status of the task from now on; NULL = the attempt no longer belongs to @WorkerId
--   @LogOutcome varchar(10) OUTPUT: outcome of the attempt
--   @Delay bigint OUTPUT: seconds that a Waiting task waits
-- Errors: none raised. It does not repeat a task with the first; the others are in the log of an attempt that was stopped on purpose:
--   51035: a transactional task ended or replaced its transaction
--   51028: the task was cancelled while it ran
--   51029: the task ran longer than its timeout
CREATE OR ALTER PROCEDURE {{.Schema}}.DecideRetry
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @WorkerId uniqueidentifier,
    @Outcome varchar(10),
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @Status varchar(10) OUTPUT,
    @LogOutcome varchar(10) OUTPUT,
    @Delay bigint OUTPUT
AS
BEGIN
    DECLARE @MaxRetryDelay int, @MaxOrphans int, @OutageSeconds int, @Goes bit = 0; -- 1 = the process goes on
    DECLARE @Found varchar(10), @StopOutcome varchar(10), @Failures int, @MaxAttempts int, @RetryDelay int, @Again bit;
    DECLARE @Orphans int, @OnOrphan varchar(5), @Lasts int, @TimeoutSeconds int;

    SELECT @Status = NULL, @LogOutcome = NULL, @Delay = 0;

    SELECT @MaxRetryDelay = s.MaxRetryDelaySeconds, @MaxOrphans = s.MaxOrphans, @OutageSeconds = s.OutageSeconds
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    SELECT @Goes = CASE WHEN p.Status IN ('Open', 'Closing') THEN 1 ELSE 0 END
    FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    -- Only this attempt of this worker. A transactional task that ended its transaction (51035) would do so again.
    SELECT @Found = t.Status, @StopOutcome = ISNULL(t.StopOutcome, 'Cancelled'), @TimeoutSeconds = t.TimeoutSeconds,
           @Failures = t.Failures + 1, @MaxAttempts = t.MaxAttempts, @RetryDelay = t.RetryDelaySeconds,
           @Again = CASE WHEN t.Transactional = 1 AND @ErrorNumber = 51035 THEN 0 ELSE 1 END,
           @Orphans = t.Orphans + 1, @OnOrphan = t.OnOrphan, @Lasts = ISNULL(DATEDIFF(second, t.OutageSince, SYSUTCDATETIME()), 0)
    FROM {{.Schema}}.Tasks AS t WITH (UPDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId AND t.LogId = @LogId AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');

    IF @Found IS NULL
        RETURN;

    IF @Found = 'Stopping' AND @StopOutcome = 'Cancelled'
        SELECT @Status = 'Cancelled', @LogOutcome = 'Cancelled';
    ELSE IF @Found = 'Stopping' -- a timeout is a failure, however the attempt ended after it
        SELECT @Status = 'TimedOut', @LogOutcome = 'TimedOut';
    ELSE IF @Outcome = 'Orphaned'
        SELECT @Status = CASE WHEN @OnOrphan = 'Retry' AND @Orphans <= @MaxOrphans AND @Goes = 1 THEN 'Pending' ELSE 'Failed' END,
               @LogOutcome = 'Orphaned';
    -- Not the task's fault: it waits a minute, then as long as it has waited, at most ten minutes.
    ELSE IF @Outcome = 'Outage' AND @Lasts < @OutageSeconds AND @Goes = 1
        SELECT @Status = 'Waiting', @LogOutcome = 'Outage',
               @Delay = CASE WHEN @Lasts > 600 THEN 600 WHEN @Lasts > 60 THEN @Lasts ELSE 60 END;
    ELSE
        SELECT @Status = 'Failed', @LogOutcome = 'Failed';

    -- Report why the session was ended, not that it died.
    IF @Outcome = 'Orphaned' AND @LogOutcome = 'Cancelled'
        SELECT @ErrorNumber = 51028, @ErrorMessage = N'dbsched 51028: the task was cancelled while it was running.';
    ELSE IF @Outcome = 'Orphaned' AND @LogOutcome = 'TimedOut'
        SELECT @ErrorNumber = 51029, @ErrorMessage = N'dbsched 51029: the task ran longer than its @TimeoutSeconds, '
                                                   + CONVERT(nvarchar(20), @TimeoutSeconds) + N' seconds, and was ended.';

    IF @LogOutcome NOT IN ('Failed', 'TimedOut') OR @Failures >= @MaxAttempts OR @Again = 0 OR @Goes = 0
        RETURN;

    -- Each pause is twice as long as the one before.
    SET @Delay = @RetryDelay * POWER(CONVERT(bigint, 2), CASE WHEN @Failures > 20 THEN 19 ELSE @Failures - 1 END);
    IF @Delay > @MaxRetryDelay
        SET @Delay = @MaxRetryDelay;
    SET @Status = CASE WHEN @Delay > 0 THEN 'Waiting' ELSE 'Pending' END;
END;
