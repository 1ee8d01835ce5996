-- Procedure: CancelTask
-- Purpose: Cancels a task. A task that has not started becomes Cancelled at once. A running task is Stopping until its session has
-- ended or, where dbsched may not end sessions, until the task ends by itself. An ended task does not change.
-- Access: public: dbsched_user (own tasks), dbsched_admin
-- Parameters:
--   @TaskId bigint (required): the task
-- Errors:
--   51010: called inside a transaction
--   51011: the task is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
-- Example: DECLARE @T bigint; EXEC dbsched.ExecAsync N'EXEC dbo.LoadOrders', 100, @TaskId = @T OUTPUT; EXEC dbsched.CancelTask @T;
CREATE OR ALTER PROCEDURE {{.Schema}}.CancelTask
    @TaskId bigint
AS
BEGIN
{{.RefuseTransaction "CancelTask" ""}}

    IF @TaskId IS NULL
        THROW 51024, N'dbsched 51024: @TaskId is NULL. Pass the number of a task.', 1;

    EXEC {{.Schema}}.OrderCancel @TaskId = @TaskId;
    RETURN 0;
END;
