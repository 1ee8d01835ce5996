-- Procedure: LeaveResourceLine
-- Purpose: Removes the requests of a task, or of all tasks of a process that have ended or that an earlier wave keeps from starting, and
-- grants the resources to the next in line. Joins the caller's transaction, which holds the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @TaskId bigint = NULL: the task; NULL = all of those
CREATE OR ALTER PROCEDURE {{.Schema}}.LeaveResourceLine
    @ProcessId int,
    @TaskId bigint = NULL
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @ResourceId int = 0, @Locked int, @LowestOrder int = (SELECT MIN(t.ExecutionOrder) FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                                                                     WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND @TaskId IS NULL);
    DECLARE @Leaving TABLE (ResourceId int NOT NULL, RequestId bigint NOT NULL, PRIMARY KEY (ResourceId, RequestId));

    -- Read all before locking the first resource: a session that holds one resource must not wait for another while it reads lines.
    INSERT INTO @Leaving (ResourceId, RequestId)
    SELECT r.ResourceId, r.RequestId
    FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL
      AND r.TaskId BETWEEN ISNULL(@TaskId, 0) AND ISNULL(@TaskId, 9223372036854775807)
      AND (@TaskId IS NOT NULL
           OR EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                      WHERE t.TaskId = r.TaskId AND (t.FinishedAt IS NOT NULL OR (t.Status = 'Pending' AND t.ExecutionOrder > @LowestOrder))))
    OPTION (MAXDOP 1);

    WHILE @ResourceId IS NOT NULL
    BEGIN
        SELECT @ResourceId = MIN(l.ResourceId)
        FROM @Leaving AS l
        WHERE l.ResourceId > @ResourceId;

        IF @ResourceId IS NOT NULL
        BEGIN
            SELECT @Locked = s.ResourceId
            FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            DELETE r
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            INNER JOIN @Leaving AS l ON l.ResourceId = r.ResourceId AND l.RequestId = r.RequestId
            WHERE r.ResourceId = @ResourceId
            OPTION (MAXDOP 1);

            EXEC {{.Schema}}.GrantResource @ResourceId;
        END;
    END;
END;
