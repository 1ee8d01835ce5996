-- Procedure: EnqueueForRound
-- Purpose: Enqueues the task of a round as the user who defined the round. A procedure of its own: whatever happens in it,
-- its end undoes the EXECUTE AS.
-- Access: private; as the owner, who may impersonate
-- Parameters:
--   @UserName nvarchar(128) (required): the user
--   @SqlText nvarchar(max) (required): the batch
--   @ExecutionOrder int (required): its wave
--   @ProcessId int (required): its process
--   @TaskId bigint OUTPUT: the new task
-- Errors: those of ExecAsync
-- Example: see RecordReport
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
    EXEC {{.Schema}}.ExecAsync @SQL = @SqlText, @ExecutionOrder = @ExecutionOrder, @ProcessId = @ProcessId, @TaskId = @TaskId OUTPUT;
    REVERT;
    RETURN 0;
END;
