-- Procedure: RunTaskText
-- Purpose: Runs a task's batch and catches what goes wrong. Called as the user who enqueued it; only ownership
-- of the same schema lets that user in here.
-- Access: private
-- Parameters:
--   @SqlText nvarchar(max) (required): the batch
--   @Rows bigint OUTPUT: rows of its last statement
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: where it came from, NULL = the batch
--   @ErrorLine int OUTPUT: line there
-- Errors: none raised; the task's error comes back, or
--   51020: the task left a transaction open
-- Example: see RunTask
CREATE OR ALTER PROCEDURE {{.Schema}}.RunTaskText
    @SqlText nvarchar(max),
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
AS
BEGIN
    -- What every task begins with, whoever ran before it in this session. sp_executesql ends what the task changes.
    SET NOCOUNT ON;
    SET XACT_ABORT OFF;
    SET IMPLICIT_TRANSACTIONS OFF;
    SET ANSI_PADDING, ANSI_WARNINGS, ARITHABORT, CONCAT_NULL_YIELDS_NULL ON;
    SET NUMERIC_ROUNDABORT OFF;
    SET ROWCOUNT 0;
    SET LOCK_TIMEOUT -1;
    SET DEADLOCK_PRIORITY NORMAL;
    SET DATEFIRST 7;
    SET DATEFORMAT mdy;
    SET CONTEXT_INFO 0x;
    SET TRANSACTION ISOLATION LEVEL READ COMMITTED;

    -- One level down: errors of compilation (a missing table, a misspelt keyword) are caught, too.
    BEGIN TRY
        EXEC sys.sp_executesql @SqlText;
        SET @Rows = @@ROWCOUNT;
    END TRY
    BEGIN CATCH
        SELECT @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
    END CATCH;

    IF XACT_STATE() <> 0
    BEGIN
        ROLLBACK TRANSACTION;

        -- 266 is what SQL Server itself says of it.
        IF @ErrorNumber IS NULL OR @ErrorNumber = 266
            SELECT @ErrorNumber = 51020, @ErrorProcedure = NULL, @ErrorLine = NULL,
                   @ErrorMessage = N'dbsched 51020: the task left a transaction open; it was rolled back.';
    END;
END;
