-- Procedure: RunTask
-- Purpose: Runs a task's batch as the user who enqueued it, never with more rights, and cleans the session after it.
-- Access: private; as the owner, who may impersonate any user of the database.
-- Parameters:
--   @TaskId bigint (required): the task
--   @SqlText nvarchar(max) (required): the batch
--   @Parameters nvarchar(max) (required): values bound to it, NULL = none
--   @TransactionId bigint (required): the open transaction that is the task's, NULL = none; after an error it is another, empty one
--   @UserId int (required): principal who enqueued it
--   @UserSid varbinary(85) (required): SID that principal had
--   @UserName nvarchar(128) (required): name that principal had
--   @Rows bigint OUTPUT: rows of its last statement; it and those below come as NULL
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: where it came from, NULL = the batch
--   @ErrorLine int OUTPUT: line there
-- Errors: none raised; the task's error comes back, or
--   51020: the task left a transaction open
--   51035: a transactional task ended or replaced its transaction
--   51021: the user who enqueued the task does not exist any more, or not as the same person
--   51022: the user cannot be impersonated
--   51037: the task's REVERT has undone more than its own EXECUTE AS
--   51040: the resource that it names was dropped
--   51048: what other databases trust is not so any more (raised by the signed module)
-- Example: see WorkLane
CREATE OR ALTER PROCEDURE {{.Schema}}.RunTask
    @TaskId bigint,
    @SqlText nvarchar(max),
    @Parameters nvarchar(max),
    @TransactionId bigint,
    @UserId int,
    @UserSid varbinary(85),
    @UserName nvarchar(128),
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    DECLARE @Cursors CURSOR, @Reference nvarchar(128), @Cursor nvarchar(128), @Scope int, @CursorStatus int, @Model int, @Concurrency int,
            @Scrollable int, @Open int, @CursorRows bigint, @Fetched int, @Columns int, @LastRows bigint, @LastOperation int, @CursorHandle int,
            @Command nvarchar(400), @Round int = 0, @Result int,
            -- Other databases trust the signed module of a user (dbsched render --trust), which reads the task's text itself: not for the
            -- error that ClaimTask has put in the text's place.
            @Module nvarchar(300) = CASE WHEN @SqlText NOT LIKE N'THROW 51040,%' THEN N'{{.SchemaInString}}' + N'.RunAs_' + CONVERT(nvarchar(10), @UserId) END;

    -- dbo is whoever owns the database now; everybody else must be the same principal with the same SID.
    IF NOT EXISTS (SELECT 1 FROM sys.database_principals AS p
                   WHERE p.principal_id = @UserId AND p.name = @UserName AND (p.principal_id = 1 OR p.sid = @UserSid))
    BEGIN
        SELECT @ErrorNumber = 51021,
               @ErrorMessage = N'dbsched 51021: the user ' + QUOTENAME(@UserName) + N' who enqueued the task does not exist any more; enqueue it again.';
        RETURN;
    END;

    IF OBJECT_ID(@Module, N'P') IS NOT NULL
        EXEC @Result = @Module @TaskId, @TransactionId, @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;
    ELSE
    BEGIN
        BEGIN TRY
            EXECUTE AS USER = @UserName;
        END TRY
        BEGIN CATCH
            SELECT @ErrorNumber = 51022,
                   @ErrorMessage = N'dbsched 51022: the user ' + QUOTENAME(@UserName) + N' cannot be impersonated: ' + ERROR_MESSAGE();
            RETURN;
        END CATCH;

        -- A REVERT in the task undoes the task's own EXECUTE AS only (REVERT, Remarks: "applicable only to EXECUTE AS
        -- statements defined in the module").
        EXEC {{.Schema}}.RunTaskText @SqlText, @Parameters, @TransactionId, @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

        IF DATABASE_PRINCIPAL_ID() <> @UserId
            SELECT @ErrorNumber = 51037, @ErrorProcedure = NULL, @ErrorLine = NULL,
                   @ErrorMessage = N'dbsched 51037: REVERT in the task has undone what makes it run as ' + QUOTENAME(@UserName) + N': on this server tasks can get the rights of dbsched''s owner.';

        REVERT;
    END;

    -- Global cursors live as long as the session: the next task could not declare one of the same name (16915).
    -- Should listing them fail, that next task is told so by SQL Server; this one has run all the same.
    BEGIN TRY
        WHILE @Round < 100
        BEGIN
            EXEC sys.sp_cursor_list @cursor_return = @Cursors OUTPUT, @cursor_scope = 2;
            FETCH NEXT FROM @Cursors INTO @Reference, @Cursor, @Scope, @CursorStatus, @Model, @Concurrency, @Scrollable, @Open,
                                          @CursorRows, @Fetched, @Columns, @LastRows, @LastOperation, @CursorHandle;

            -- The list itself goes with its variable.
            IF @@FETCH_STATUS <> 0
                BREAK;

            CLOSE @Cursors;
            DEALLOCATE @Cursors;
            SELECT @Round = @Round + 1, @Command = N'DEALLOCATE GLOBAL ' + QUOTENAME(@Cursor) + N';';
            EXEC sys.sp_executesql @Command;
        END;
    END TRY
    BEGIN CATCH
        SET @Round = 100;
    END CATCH;
END;
