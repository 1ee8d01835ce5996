-- Procedure: RetryTask
-- Purpose: Runs a Failed, TimedOut, Cancelled or Skipped task again, with all its attempts. If its process had ended, it is Open again,
-- or Closing if CloseProcess was called. Later waves that have not started wait for the task.
-- Access: public: dbsched_user (own tasks), dbsched_admin
-- Parameters:
--   @TaskId bigint (required): the task
-- Errors:
--   51010: called inside a transaction
--   51011: the task is locked by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
--   51027: the task is not Failed, TimedOut, Cancelled or Skipped, its process was purged (see RetentionDays), or it makes the process of a
--       firing: call RunSchedule
-- Example: DECLARE @T bigint; SELECT @T = MIN(TaskId) FROM dbsched.TaskInfo WHERE Status = 'Failed' AND ProcessId > 0; IF @T IS NOT NULL EXEC dbsched.RetryTask @T;
CREATE OR ALTER PROCEDURE {{.Schema}}.RetryTask
    @TaskId bigint
AS
BEGIN
{{.RefuseTransaction "RetryTask" ""}}

    IF @TaskId IS NULL
        THROW 51024, N'dbsched 51024: @TaskId is NULL. Pass the number of a task.', 1;

    EXEC {{.Schema}}.OrderRetry @TaskId = @TaskId;
    RETURN 0;
END;
