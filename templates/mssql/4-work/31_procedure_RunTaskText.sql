-- Procedure: RunTaskText
-- Purpose: Runs a task's batch, with its values bound to it, and catches what goes wrong. Called as the user who enqueued it; only ownership
-- of the same schema lets that user in here. The signed modules of render --trust call it: its parameters stay as they are.
-- Access: private
-- Parameters:
--   @SqlText nvarchar(max) (required): the batch
--   @Parameters nvarchar(max) (required): values bound to it, NULL = none
--   @TransactionId bigint (required): the open transaction that is the task's, NULL = none
--   @Rows bigint OUTPUT: rows of its last statement
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: where it came from, NULL = the batch
--   @ErrorLine int OUTPUT: line there
-- Errors: none raised; the task's error comes back, or
--   51020: the task left a transaction open
--   51035: a transactional task ended or replaced its transaction
-- Example: see RunTask
CREATE OR ALTER PROCEDURE {{.Schema}}.RunTaskText
    @SqlText nvarchar(max),
    @Parameters nvarchar(max),
    @TransactionId bigint,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
AS
BEGIN
    -- What every task begins with, whoever ran before it in this session, and apart from what WorkLane has set for all.
    -- sp_executesql ends what a task changes; of these three, and of ROWCOUNT, that is not relied on.
    SET XACT_ABORT OFF;
    SET DEADLOCK_PRIORITY NORMAL;
    SET CONTEXT_INFO 0x;

    -- One level down: errors of compilation (a missing table, a misspelt keyword) are caught, too.
    BEGIN TRY
        -- The values stay in their JSON: what is made here depends on names and types only, so that equal ones share a plan.
        -- Each is checked when the task is enqueued, and what is made runs as the user.
        IF @Parameters IS NOT NULL
        BEGIN
            DECLARE @Declaration nvarchar(max), @Binding nvarchar(max);

            SELECT @Declaration = STUFF((SELECT N', @' + p.Name + N' ' + p.SqlType
                                         FROM {{.Schema}}.ReadParameters(@Parameters) AS p
                                         ORDER BY p.Name
                                         FOR XML PATH('')), 1, 2, N''),
                   @Binding = (SELECT N'DECLARE @p_' + p.Name + N' ' + p.SqlType + N' = (SELECT CONVERT(' + p.SqlType + N', j.[value]'
                                      + CASE WHEN p.SqlType LIKE N'varbinary%' THEN N', 1' ELSE N'' END
                                      + N') FROM OPENJSON(@Parameters) AS j WHERE j.[key] = N' + QUOTENAME(p.Member, '''') + N'); '
                               FROM {{.Schema}}.ReadParameters(@Parameters) AS p
                               ORDER BY p.Name
                               FOR XML PATH(''))
                            + N'EXEC sys.sp_executesql @SqlText, @Declaration'
                            + (SELECT N', @p_' + p.Name
                               FROM {{.Schema}}.ReadParameters(@Parameters) AS p
                               ORDER BY p.Name
                               FOR XML PATH(''))
                            + N';';
        END;

        IF @Binding IS NULL
            EXEC sys.sp_executesql @SqlText;
        ELSE
            EXEC sys.sp_executesql @Binding, N'@SqlText nvarchar(max), @Declaration nvarchar(max), @Parameters nvarchar(max)',
                                   @SqlText, @Declaration, @Parameters;
        SET @Rows = @@ROWCOUNT;
    END TRY
    BEGIN CATCH
        SELECT @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
    END CATCH;

    SET ROWCOUNT 0;

    IF @TransactionId IS NULL AND XACT_STATE() = 0
        RETURN;

    -- Without the transaction that its completion is to be part of, nothing more may come of the task. Whatever is open is
    -- undone; this procedure must be left with as many transactions as it was entered with (266).
    IF @TransactionId IS NOT NULL AND (XACT_STATE() = 0 OR CURRENT_TRANSACTION_ID() <> @TransactionId)
        SELECT @ErrorMessage = LEFT(N'dbsched 51035: a transactional task must neither end nor replace its transaction.'
                                    + CASE WHEN @ErrorNumber <> 266 THEN N' It ended with error ' + CONVERT(nvarchar(20), @ErrorNumber) + N': ' + @ErrorMessage ELSE N'' END, 4000),
               @ErrorNumber = 51035, @ErrorProcedure = NULL, @ErrorLine = NULL;

    IF @TransactionId IS NOT NULL AND @ErrorNumber IS NULL AND XACT_STATE() = 1 AND @@TRANCOUNT = 1
        RETURN;

    IF XACT_STATE() <> 0
    BEGIN
        ROLLBACK TRANSACTION;

        -- 266 is what SQL Server itself says of it.
        IF @ErrorNumber IS NULL OR @ErrorNumber = 266
            SELECT @ErrorNumber = 51020, @ErrorProcedure = NULL, @ErrorLine = NULL,
                   @ErrorMessage = N'dbsched 51020: the task left a transaction open; it was rolled back.';
    END;

    IF @TransactionId IS NOT NULL
        BEGIN TRANSACTION;
END;
