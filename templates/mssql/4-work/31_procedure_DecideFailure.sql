-- Procedure: DecideFailure
-- Purpose: Decides what follows an attempt that did not succeed: another attempt, now or later, or the end of the task.
-- Access: private
-- Parameters:
--   @Outcome varchar(10) (required): how the attempt ended: Failed or Orphaned
--   @Status varchar(10) (required): the task's status: Running or Stopping
--   @StopOutcome varchar(10) (required): why it was stopped: Cancelled (also NULL) or TimedOut
--   @ProcessStatus varchar(10) (required): the process's status; retries need Open or Closing
--   @OnOrphan varchar(5) (required): Retry or Fail
--   @MaxOrphans int (required): how often the task runs again after its worker died
--   @MaxAttempts int (required): failures after which the task has failed
--   @NoRetry bit (required): 1 = no retry
--   @RetryDelay int (required): seconds before the first retry, doubled for each further retry
--   @MaxRetryDelay int (required): longest delay before a retry, in seconds
--   @TimeoutSeconds int (required): seconds an attempt may run, for the error text
--   @Failures int OUTPUT: failures so far; increased by this attempt
--   @Orphans int OUTPUT: dead workers so far; increased by this attempt
--   @NewStatus varchar(10) OUTPUT: new status of the task
--   @LogOutcome varchar(10) OUTPUT: outcome in the log
--   @Delay bigint OUTPUT: seconds before the next attempt
--   @ErrorNumber int OUTPUT: error of the attempt; replaced if the attempt was stopped on purpose
--   @ErrorMessage nvarchar(4000) OUTPUT: its text
-- Errors: none raised; in the log of an attempt that was stopped on purpose:
--   51028: the task was cancelled while it ran
--   51029: the task ran longer than its timeout
-- Example: see FailTask
CREATE OR ALTER PROCEDURE {{.Schema}}.DecideFailure
    @Outcome varchar(10),
    @Status varchar(10),
    @StopOutcome varchar(10),
    @ProcessStatus varchar(10),
    @OnOrphan varchar(5),
    @MaxOrphans int,
    @MaxAttempts int,
    @NoRetry bit,
    @RetryDelay int,
    @MaxRetryDelay int,
    @TimeoutSeconds int,
    @Failures int OUTPUT,
    @Orphans int OUTPUT,
    @NewStatus varchar(10) OUTPUT,
    @LogOutcome varchar(10) OUTPUT,
    @Delay bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT
AS
BEGIN
    IF @Status = 'Stopping' AND ISNULL(@StopOutcome, 'Cancelled') = 'Cancelled'
        SELECT @NewStatus = 'Cancelled', @LogOutcome = 'Cancelled';
    ELSE IF @Status <> 'Stopping' AND @Outcome = 'Orphaned'
    BEGIN
        SET @Orphans = @Orphans + 1;
        SET @NewStatus = CASE WHEN @OnOrphan = 'Retry' AND @Orphans <= @MaxOrphans AND @ProcessStatus IN ('Open', 'Closing') THEN 'Pending' ELSE 'Failed' END;
    END
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
END;
