-- Procedure: DecideFailure
-- Purpose: What follows when an attempt has not succeeded: another one, at once or later, or the task's end.
-- Access: private
-- Parameters:
--   @Outcome varchar(10) (required): how it ended: Failed or Orphaned
--   @Status varchar(10) (required): the task's: Running or Stopping
--   @StopOutcome varchar(10) (required): why it was stopped: Cancelled (NULL) or TimedOut
--   @ProcessStatus varchar(10) (required): its process's; only an Open or Closing one tries again
--   @OnOrphan varchar(5) (required): Retry or Fail
--   @MaxOrphans int (required): how often it runs again because its worker died
--   @MaxAttempts int (required): failures after which it has failed
--   @NoRetry bit (required): 1 = it is not tried again
--   @RetryDelay int (required): seconds before the first retry; each later one takes twice as long
--   @MaxRetryDelay int (required): the most seconds before one
--   @TimeoutSeconds int (required): seconds an attempt may run, for the message
--   @Failures int OUTPUT: failures so far, counted on
--   @Orphans int OUTPUT: dead workers so far, counted on
--   @NewStatus varchar(10) OUTPUT: the task's status from now on
--   @LogOutcome varchar(10) OUTPUT: outcome in the log
--   @Delay bigint OUTPUT: seconds before the next attempt
--   @ErrorNumber int OUTPUT: error of the attempt, replaced if it was stopped on purpose
--   @ErrorMessage nvarchar(4000) OUTPUT: its text
-- Errors: none raised; in the log of an attempt whose session was ended on purpose:
--   51028: the task was cancelled while it ran
--   51029: the task ran for longer than its time-out
-- Example: see CompleteTask
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
        -- Out of time is a failure, however the attempt ended after that.
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

    -- Not that the session died: who ended it, and why.
    IF @Status = 'Stopping' AND @Outcome = 'Orphaned' AND @NewStatus = 'Cancelled'
        SELECT @ErrorNumber = 51028, @ErrorMessage = N'dbsched 51028: the task was cancelled while it ran.';
    ELSE IF @Status = 'Stopping' AND @Outcome = 'Orphaned'
        SELECT @ErrorNumber = 51029, @ErrorMessage = N'dbsched 51029: the task ran for longer than its ' + CONVERT(nvarchar(20), @TimeoutSeconds) + N' seconds.';
END;
