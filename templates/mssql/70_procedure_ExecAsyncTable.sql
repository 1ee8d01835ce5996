-- Procedure: ExecAsyncTable
-- Purpose: Enqueues many tasks at once, all or none, for much less than as many calls of ExecAsync. They exist, and run, when the
-- caller's transaction commits; they run as the calling database user. Answers with one row per task, TaskNo and TaskId, in the
-- order of TaskNo.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Tasks TaskTable READONLY (required): the tasks; a column means what ExecAsync's parameter of that name does, NULL its default
-- Errors (number 50000, the number below in text and state; the text begins with the TaskNo of the first task that is wrong):
--   51001, 51002, 51003, 51004, 51005, 51006, 51007, 51008, 51011, 51030, 51031, 51032, 51033, 51034, 51040, 51041: see ExecAsync
-- Example: DECLARE @T dbsched.TaskTable; INSERT INTO @T (TaskNo, SQL, ExecutionOrder) VALUES (1, N'EXEC dbo.LoadOrders', 100), (2, N'EXEC dbo.LoadCustomers', 100); EXEC dbsched.ExecAsyncTable @T;
CREATE OR ALTER PROCEDURE {{.Schema}}.ExecAsyncTable
    @Tasks {{.Schema}}.TaskTable READONLY
AS
BEGIN
{{.StartSnapshot}}
{{.SetOptionsJoin}}
    DECLARE @Result int;
    -- Who calls is asked here, as the caller: the procedure below runs as the owner.
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;

    EXEC @Result = {{.Schema}}.EnqueueBatch @Rows = @Tasks, @UserId = @UserId, @UserName = @UserName, @LoginName = @LoginName, @IsAdmin = @IsAdmin;

    RETURN @Result;
END;
