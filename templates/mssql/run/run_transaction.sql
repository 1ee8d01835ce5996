-- Procedure: RunTransaction
-- Purpose: Runs a transactional task, and commits its work with the record of its end: both or neither.
-- Access: private; called by WorkLane, outside a transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint OUTPUT: log row of the attempt; NULL = its end is recorded
--   @Outcome varchar(10) OUTPUT: see RunTask; and Orphaned: the work was undone, because its end could not be recorded
--   @Rows bigint OUTPUT: rows of its last statement; pass NULL for it and all outputs below
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
CREATE OR ALTER PROCEDURE {{.Schema}}.RunTransaction
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint OUTPUT,
    @Outcome varchar(10) OUTPUT,
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

    EXEC {{.Schema}}.RunTask @TaskId, @TransactionId, @Outcome OUTPUT, @Rows OUTPUT,
                             @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

    IF @ErrorNumber IS NULL
    BEGIN
        -- The work commits with the record of its end, or not at all: wait for any lock, and be no deadlock victim.
        SET LOCK_TIMEOUT -1;
        SET DEADLOCK_PRIORITY HIGH;

        BEGIN TRY
            EXEC {{.Schema}}.CompleteAttempt @LaneId, @WorkerId, @ProcessId, @TaskId, @LogId, @Outcome, @Rows, @Result = @Result OUTPUT;

            -- That the attempt is lost shows again when NextTask or CompleteAttempt records it.
            IF @Result = 'Ended'
            BEGIN
                COMMIT TRANSACTION;
                SET @LogId = NULL;
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
