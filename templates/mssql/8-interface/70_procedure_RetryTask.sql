-- Procedure: RetryTask
-- Purpose: Lets a task that is Failed, TimedOut, Cancelled or Skipped run again, with all its attempts. Its process is open again, or
-- closing, if it had ended; waves that came after it and have not started wait for it.
-- Access: public: dbsched_user (own tasks), dbsched_admin
-- Parameters:
--   @TaskId bigint (required): the task
-- Errors:
--   51010: called inside a transaction
--   51011: the task is held by a transaction that has not ended
--   51024: there is no such task
--   51025: the task belongs to another user
--   51027: the task has not failed, nor was it cancelled or skipped, or its process was forgotten (see RetentionDays)
-- Example: DECLARE @T bigint; SELECT @T = MIN(TaskId) FROM dbsched.TaskInfo WHERE Status = 'Failed'; IF @T IS NOT NULL EXEC dbsched.RetryTask @T;
CREATE OR ALTER PROCEDURE {{.Schema}}.RetryTask
    @TaskId bigint
AS
BEGIN
{{.RefuseTransaction "RetryTask" ""}}

{{.SetOptions}}
    DECLARE @UserSid varbinary(85) = {{.UserSid}};
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;

    IF @TaskId IS NULL
        THROW 51024, N'dbsched 51024: @TaskId is NULL.', 1;

    EXEC {{.Schema}}.OrderRetry @TaskId = @TaskId, @UserSid = @UserSid, @IsAdmin = @IsAdmin;
    RETURN 0;
END;
