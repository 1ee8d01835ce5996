-- Procedure: SkipDuplicate
-- Purpose: Skips the task being claimed if it is a duplicate: two tasks of a user with the same key, enqueued at the same moment. The task
-- that started first is kept, otherwise the older one. The index shows which tasks are committed and unfinished; their rows cannot
-- change meanwhile, because the caller's transaction holds the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @TaskId bigint OUTPUT: the task; NULL on return if it was skipped
--   @Attempt int (required): number of the attempt being claimed
--   @DedupKey nvarchar(200) (required): its key
--   @UserSid varbinary(85) (required): SID of the user that enqueued it
--   @ResourceId int (required): resource of the task; NULL = none
-- Errors: none of its own
-- Example: see AdmitTask
CREATE OR ALTER PROCEDURE {{.Schema}}.SkipDuplicate
    @ProcessId int,
    @TaskId bigint OUTPUT,
    @Attempt int,
    @DedupKey nvarchar(200),
    @UserSid varbinary(85),
    @ResourceId int
AS
BEGIN
    DECLARE @DuplicateOf bigint;

    SELECT TOP (1) @DuplicateOf = d.TaskId
    FROM {{.Schema}}.Tasks AS d WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    INNER JOIN {{.Schema}}.Tasks AS o WITH (NOLOCK) ON o.TaskId = d.TaskId
    WHERE d.ProcessId = @ProcessId AND d.DedupKey = @DedupKey AND d.DedupKey IS NOT NULL AND d.EnqueuedBySid = @UserSid
      AND d.FinishedAt IS NULL AND d.TaskId <> @TaskId
      AND (o.Status IN ('Running', 'Stopping')
           OR (o.Attempt > 0 AND @Attempt = 1)
           OR (o.TaskId < @TaskId AND (o.Attempt > 0 OR @Attempt = 1)))
    ORDER BY d.TaskId
    OPTION (MAXDOP 1);

    IF @DuplicateOf IS NOT NULL
    BEGIN
        UPDATE t
        SET t.Status = 'Skipped', t.DuplicateOf = @DuplicateOf, t.FinishedAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

        IF @ResourceId IS NOT NULL
            EXEC {{.Schema}}.LeaveResourceLine @ProcessId, @TaskId;

        -- This worker looks again. If the task was the last of its wave, the next wave needs more workers.
        EXEC {{.Schema}}.SendWake;
        SET @TaskId = NULL;
    END;
END;
