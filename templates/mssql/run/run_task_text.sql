-- Procedure: RunTaskText
-- Purpose: Runs a task's batch with its bound values, and catches its errors. Called as the user that enqueued the task; only the ownership
-- chain gives that user access. The signed modules of render --trust call it, so its parameters must not change.
-- Access: private
-- Parameters:
--   @SqlText nvarchar(max) (required): the batch
--   @Parameters nvarchar(max) (required): values bound to the batch; NULL = none
--   @TransactionId bigint (required): the task's open transaction; NULL = none
--   @Rows bigint OUTPUT: rows of its last statement
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
-- Errors: none raised; returns the task's error, or
--   51020: the task left a transaction open
--   51035: a transactional task ended or replaced its transaction
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
    -- The task has its worker's settings (RunLane, ManualWorker), and these. What it sets ends with it (SET Statements, Remarks), but not CONTEXT_INFO.
    SET XACT_ABORT OFF;
    SET CONTEXT_INFO 0x;

    -- One level down, so that compilation errors (a missing table, a misspelled keyword) are caught too.
    BEGIN TRY
        -- The values stay in the JSON: the generated batch depends only on names and types, so equal ones share a plan.
        -- Each value was checked when the task was enqueued, and the generated batch runs as the user.
        IF @Parameters IS NULL
            EXEC sys.sp_executesql @SqlText;
        ELSE
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

            IF @Binding IS NULL
                EXEC sys.sp_executesql @SqlText;
            ELSE
                EXEC sys.sp_executesql @Binding, N'@SqlText nvarchar(max), @Declaration nvarchar(max), @Parameters nvarchar(max)',
                                       @SqlText, @Declaration, @Parameters;
        END;

        SET @Rows = @@ROWCOUNT;
    END TRY
    BEGIN CATCH
        SELECT @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
    END CATCH;

    IF XACT_STATE() <> 0 OR @TransactionId IS NOT NULL
    BEGIN
        -- A transactional task that lost its transaction must have no further effect. Roll back whatever is open, and leave
        -- this procedure with as many transactions as it was entered with (266).
        IF @TransactionId IS NOT NULL AND (XACT_STATE() = 0 OR CURRENT_TRANSACTION_ID() <> @TransactionId)
        BEGIN
            SET @ErrorMessage = LEFT(N'dbsched 51035: a transactional task must not end or replace its transaction.'
                                     + N' Remove COMMIT and ROLLBACK from it.'
                                     + CASE WHEN @ErrorNumber = 266 OR @ErrorNumber IS NULL THEN N''
                                            ELSE N' It ended with error ' + CONVERT(nvarchar(20), @ErrorNumber) + N': ' + @ErrorMessage END, 4000);
            SELECT @ErrorNumber = 51035, @ErrorProcedure = NULL, @ErrorLine = NULL;
        END;

        IF @TransactionId IS NOT NULL AND @ErrorNumber IS NULL AND XACT_STATE() = 1 AND @@TRANCOUNT = 1
            RETURN;

        IF XACT_STATE() <> 0
        BEGIN
            ROLLBACK TRANSACTION;

            -- 266 is SQL Server's own error for it.
            IF @ErrorNumber IS NULL OR @ErrorNumber = 266
                SELECT @ErrorNumber = 51020, @ErrorProcedure = NULL, @ErrorLine = NULL,
                       @ErrorMessage = N'dbsched 51020: the task left a transaction open, which was rolled back.'
                                     + N' Commit or roll back in the batch that begins it.';
        END;

        IF @TransactionId IS NOT NULL
            BEGIN TRANSACTION;
    END;
END;
