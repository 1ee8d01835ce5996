-- Procedure: RunTask
-- Purpose: Runs a task's batch as the user that enqueued it, never with more rights, and cleans up the session afterwards.
-- Access: private; runs as the owner, which may impersonate any user of the database.
-- Parameters:
--   @TaskId bigint (required): the task
--   @TransactionId bigint (required): the task's open transaction; NULL = none. After an error, a new, empty transaction is open
--   @Outcome varchar(10) OUTPUT: Succeeded; Failed; Outage: the server could not begin it, or took all of it back for a reason of its own;
--       Orphaned: such a reason ended it, and part of its work may be done
--   @Rows bigint OUTPUT: rows of its last statement; pass NULL for it and all outputs below
--   @ErrorNumber int OUTPUT: NULL if it succeeded
--   @ErrorMessage nvarchar(4000) OUTPUT: text of the error
--   @ErrorProcedure nvarchar(300) OUTPUT: procedure that raised it; NULL = the batch
--   @ErrorLine int OUTPUT: its line
-- Errors: none raised; returns the task's error, or
--   51020: the task left a transaction open
--   51035: a transactional task ended or replaced its transaction
--   51021: the user that enqueued the task no longer exists, or is another user of that name
--   51022: the user cannot be impersonated
--   51037: REVERT in the task undid more than the task's own EXECUTE AS
--   51040: the resource of the task was dropped
--   51048: the conditions of other databases' trust are no longer met (raised by the signed module)
CREATE OR ALTER PROCEDURE {{.Schema}}.RunTask
    @TaskId bigint,
    @TransactionId bigint,
    @Outcome varchar(10) OUTPUT,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
    SET LOCK_TIMEOUT -1;
    DECLARE @SqlText nvarchar(max), @Parameters nvarchar(max), @UserId int, @UserName nvarchar(128), @UserExists bit, @Dropped bit;
    DECLARE @Module nvarchar(300), @Result int, @Begun bit = 0, @Command nvarchar(400), @Round int;
    -- What sp_cursor_list returns.
    DECLARE @Cursors CURSOR, @Reference nvarchar(128), @Cursor nvarchar(128), @Scope int, @CursorStatus int, @Model int, @Concurrency int,
            @Scrollable int, @Open int, @CursorRows bigint, @Fetched int, @Columns int, @LastRows bigint, @LastOperation int, @CursorHandle int;

    BEGIN TRY
        -- Nobody changes these while the task runs.
        SELECT @SqlText = t.SqlText, @Parameters = t.Parameters, @UserId = t.EnqueuedById, @UserName = t.EnqueuedByName,
               -- dbo is the current owner of the database. Every other user must be the same principal with the same SID.
               @UserExists = CASE WHEN USER_NAME(t.EnqueuedById) = t.EnqueuedByName
                                       AND EXISTS (SELECT 1 FROM sys.database_principals AS u
                                                   WHERE u.principal_id = t.EnqueuedById AND (u.principal_id = 1 OR u.sid = t.EnqueuedBySid))
                                  THEN 1 ELSE 0 END,
               -- Whoever has been granted it keeps it from being dropped.
               @Dropped = CASE WHEN t.ResourceId IS NOT NULL
                                    AND NOT EXISTS (SELECT 1 FROM {{.Schema}}.Resources AS s WITH (NOLOCK) WHERE s.ResourceId = t.ResourceId)
                               THEN 1 ELSE 0 END
        FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
        WHERE t.TaskId = @TaskId;

        IF @UserExists = 1 AND @Dropped = 0 AND OBJECT_ID(N'{{.SchemaInString}}' + N'.RunAs_' + CONVERT(nvarchar(10), @UserId), N'P') IS NULL
        BEGIN
            BEGIN TRY
                EXECUTE AS USER = @UserName;
            END TRY
            BEGIN CATCH
                SELECT @Outcome = 'Outage', @ErrorNumber = 51022,
                       @ErrorMessage = N'dbsched 51022: the user ' + QUOTENAME(@UserName) + N' cannot be impersonated: ' + ERROR_MESSAGE();
                RETURN;
            END CATCH;

            -- REVERT in the task undoes only the task's own EXECUTE AS (REVERT, Remarks: "applicable only to EXECUTE AS
            -- statements defined in the module").
            SET @Begun = 1;
            EXEC {{.Schema}}.RunTaskText @SqlText, @Parameters, @TransactionId,
                                         @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

            IF DATABASE_PRINCIPAL_ID() <> @UserId
                SELECT @ErrorNumber = 51037, @ErrorProcedure = NULL, @ErrorLine = NULL,
                       @ErrorMessage = N'dbsched 51037: REVERT in the task ended its impersonation of ' + QUOTENAME(@UserName)
                                     + N', so on this server tasks can get the rights of dbsched''s owner. Stop the scheduler: dbsched stop --now.';

            REVERT;
        END
        ELSE IF @UserExists = 0
            SELECT @ErrorNumber = 51021,
                   @ErrorMessage = N'dbsched 51021: the user ' + QUOTENAME(@UserName)
                                 + N' that enqueued the task no longer exists. Enqueue it again as an existing user.';
        ELSE IF @Dropped = 1
            SELECT @ErrorNumber = 51040,
                   @ErrorMessage = N'dbsched 51040: the resource of the task was dropped.'
                                 + N' Create it again with DefineResource, then enqueue the task again.';
        -- A trusted user has a signed module (dbsched render --trust), which reads the task's text itself. Never run the text here, with the
        -- owner's rights.
        ELSE
        BEGIN
            SET @Module = N'{{.SchemaInString}}' + N'.RunAs_' + CONVERT(nvarchar(10), @UserId);
            EXEC @Result = @Module @TaskId, @TransactionId,
                                   @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;
        END;
        -- 15404: no domain controller answers for a Windows user, such as the owner of a procedure that the task called.
        SET @Outcome = CASE WHEN @ErrorNumber IS NULL THEN 'Succeeded' WHEN @ErrorNumber <> 15404 THEN 'Failed'
                            WHEN @TransactionId IS NULL THEN 'Orphaned' ELSE 'Outage' END;
    END TRY
    BEGIN CATCH
        -- Not the task's own error, which RunTaskText catches, but one outside the task. The signed module raises errors only before it.
        SELECT @Outcome = CASE WHEN ERROR_NUMBER() = 51048 THEN 'Failed' WHEN @Begun = 1 THEN 'Orphaned' ELSE 'Outage' END,
               @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
        IF @TransactionId IS NULL AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        RETURN;
    END CATCH;

    -- Global cursors last as long as the session: the next task could not declare one of the same name (16915).
    -- If listing them fails, the next task may get that error; this task has run anyway.
    BEGIN TRY
Next:
        EXEC sys.sp_cursor_list @cursor_return = @Cursors OUTPUT, @cursor_scope = 2;
        FETCH NEXT FROM @Cursors INTO @Reference, @Cursor, @Scope, @CursorStatus, @Model, @Concurrency, @Scrollable, @Open,
                                      @CursorRows, @Fetched, @Columns, @LastRows, @LastOperation, @CursorHandle;

        -- The list cursor itself ends with its variable.
        IF @@FETCH_STATUS = 0
        BEGIN
            DEALLOCATE @Cursors;
            SELECT @Round = ISNULL(@Round, 0) + 1, @Command = N'DEALLOCATE GLOBAL ' + QUOTENAME(@Cursor) + N';';
            EXEC sys.sp_executesql @Command;
            IF @Round < 100
                GOTO Next;
        END;
    END TRY
    BEGIN CATCH
        SET @Round = 100;
    END CATCH;
END;
