-- Procedure: RunInTransaction
-- Purpose: Runs a transactional task: its work commits with the record of its end, or not at all.
-- Access: private
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @TaskId bigint (required): the task
--   @Attempt int (required): number of the attempt
--   @ProcessId int (required): its process
--   @LogId bigint (required): its log row
--   @SqlText nvarchar(max) (required): the batch to run
--   @Parameters nvarchar(max) (required): values bound to the batch; NULL = none
--   @UserId int (required): principal that enqueued it
--   @UserName nvarchar(128) (required): name of that principal at the time
--   @UserExists bit (required): 1 = it still is the same principal
--   @Outcome varchar(10) OUTPUT: NULL = recorded; otherwise what the caller must record
--   @NoRetry bit OUTPUT: 1 = no retry, even if attempts are left
--   @Rows bigint OUTPUT: rows of its last statement; pass NULL for it and all outputs below
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
-- Errors: none raised; it acts on this error of the task:
--   51035: it ended or replaced its transaction; no retry
-- Example: see WorkLane
CREATE OR ALTER PROCEDURE {{.Schema}}.RunInTransaction
    @LaneId int,
    @WorkerId uniqueidentifier,
    @TaskId bigint,
    @Attempt int,
    @ProcessId int,
    @LogId bigint,
    @SqlText nvarchar(max),
    @Parameters nvarchar(max),
    @UserId int,
    @UserName nvarchar(128),
    @UserExists bit,
    @Outcome varchar(10) OUTPUT,
    @NoRetry bit OUTPUT,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
AS
BEGIN
    DECLARE @TransactionId bigint, @Result varchar(10);

    BEGIN TRANSACTION;
    SET @TransactionId = CURRENT_TRANSACTION_ID();

    EXEC {{.Schema}}.RunTask
        @TaskId = @TaskId, @SqlText = @SqlText, @Parameters = @Parameters, @TransactionId = @TransactionId,
        @UserId = @UserId, @UserName = @UserName, @UserExists = @UserExists,
        @Rows = @Rows OUTPUT, @ErrorNumber = @ErrorNumber OUTPUT, @ErrorMessage = @ErrorMessage OUTPUT,
        @ErrorProcedure = @ErrorProcedure OUTPUT, @ErrorLine = @ErrorLine OUTPUT;

    SELECT @Outcome = CASE WHEN @ErrorNumber IS NULL THEN 'Succeeded' ELSE 'Failed' END,
           @NoRetry = CASE WHEN @ErrorNumber = 51035 THEN 1 ELSE 0 END;

    IF @ErrorNumber IS NULL
    BEGIN
        BEGIN TRY
            EXEC {{.Schema}}.NextTask
                @LaneId = @LaneId, @WorkerId = @WorkerId, @Claim = 0,
                @EndedTaskId = @TaskId, @EndedAttempt = @Attempt, @EndedProcessId = @ProcessId, @EndedLogId = @LogId,
                @Outcome = @Outcome, @Rows = @Rows, @Result = @Result OUTPUT;

            -- The caller finds out that an attempt is lost.
            IF @Result = 'Ended'
            BEGIN
                COMMIT TRANSACTION;
                SET @Outcome = NULL;
            END;
        END TRY
        BEGIN CATCH
            -- Not the task's fault, and its work is rolled back: treat it as if its worker had died.
            SELECT @Outcome = 'Orphaned', @Rows = NULL,
                   @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
        END CATCH;
    END;

    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
END;
