-- Procedure: EnqueueForRound
-- Purpose: Enqueues the task of a round as the user that defined the round. A separate procedure, because its end reverts EXECUTE
-- AS, whatever happens in it.
-- Access: private; runs as the owner, which may impersonate
-- Parameters:
--   @UserName nvarchar(128) (required): the user
--   @SqlText nvarchar(max) (required): the batch
--   @ExecutionOrder int (required): its wave
--   @ProcessId int (required): its process
--   @TaskId bigint OUTPUT: the new task
-- Errors (and those of ExecAsync):
--   51057: the user may no longer enqueue
CREATE OR ALTER PROCEDURE {{.Schema}}.EnqueueForRound
    @UserName nvarchar(128),
    @SqlText nvarchar(max),
    @ExecutionOrder int,
    @ProcessId int,
    @TaskId bigint OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
    EXECUTE AS USER = @UserName;
    -- An ownership chain leads to ExecAsync, so SQL Server does not check it.
    IF HAS_PERMS_BY_NAME(N'{{.SchemaInString}}.ExecAsync', N'OBJECT', N'EXECUTE') = 0
        THROW 51057, N'dbsched 51057: the user that defined the round may no longer enqueue. Have another define it again, or add it to a role.', 1;
    EXEC {{.Schema}}.ExecAsync @SQL = @SqlText, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, @TaskId = @TaskId OUTPUT;
    REVERT;
    RETURN 0;
END;
