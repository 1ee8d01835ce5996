-- Procedure: SkipDuplicate
-- Purpose: Of two tasks of a user with the same key that were enqueued at the same moment the one that began first stays, or else the
-- older; the other one, if it is the one that is being claimed, is skipped. The index shows which are committed and unfinished; what
-- their rows say is settled under the lock on the process's row, which the caller holds in its transaction.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @TaskId bigint OUTPUT: the task; comes back NULL if it was skipped
--   @Attempt int (required): number of the attempt that it is claimed for
--   @DedupKey nvarchar(200) (required): its key
--   @UserSid varbinary(85) (required): SID of who enqueued it
--   @ResourceId int (required): resource that it names, NULL = none
-- Errors: none of its own
-- Example: see ClaimTask
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

        -- This worker looks again; should a wave have ended with the task, the next one needs more of them.
        EXEC {{.Schema}}.SendWake;
        SET @TaskId = NULL;
    END;
END;
