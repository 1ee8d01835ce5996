-- Procedure: JoinResourceLine
-- Purpose: Grants a task its resource, or adds the task to the resource's line. Joins the caller's transaction, which holds the
-- locks on the task and its process.
-- Access: private
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @ResourceId int (required): the resource
--   @Access varchar(9) (required): Shared or Exclusive
--   @Granted bit OUTPUT: 1 = the task holds the resource and may start; 0 = it waits in line; NULL = the resource was dropped
--   @RequestId bigint OUTPUT: the request, if this call created it
CREATE OR ALTER PROCEDURE {{.Schema}}.JoinResourceLine
    @ProcessId int,
    @TaskId bigint,
    @ResourceId int,
    @Access varchar(9),
    @Granted bit OUTPUT,
    @RequestId bigint OUTPUT
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @Locked int, @Status varchar(8);

    SELECT @Granted = NULL, @RequestId = NULL;

    -- Every change of a line starts with this lock and holds it until the commit, so request numbers follow the order of commits.
    SELECT @Locked = s.ResourceId
    FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
    WHERE s.ResourceId = @ResourceId;

    IF @Locked IS NULL
        RETURN;

    SELECT @Status = r.Status
    FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.ProcessId = @ProcessId AND r.TaskId = @TaskId AND r.SessionId IS NULL;

    IF @Status IS NULL
    BEGIN
        INSERT INTO {{.Schema}}.ResourceRequests WITH (ROWLOCK)
            (ResourceId, Status, Access, Requester, ProcessId, TaskId, RequestedBySid, RequestedByName, RequestedByLogin)
        SELECT @ResourceId, 'Waiting', @Access, N'task ' + CONVERT(nvarchar(20), @TaskId), @ProcessId, @TaskId,
               t.EnqueuedBySid, t.EnqueuedByName, t.EnqueuedByLogin
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

        SET @RequestId = SCOPE_IDENTITY();

        EXEC {{.Schema}}.GrantResource @ResourceId, @RequestId;

        SELECT @Status = r.Status
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;
    END;

    SET @Granted = CASE WHEN @Status = 'Granted' THEN 1 ELSE 0 END;
END;
