-- Procedure: CloseIfDone
-- Purpose: Ends a Closing process that has no unfinished tasks. The caller's transaction holds the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
CREATE OR ALTER PROCEDURE {{.Schema}}.CloseIfDone
    @ProcessId int
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @ScheduleId int;

    -- NOLOCK on purpose: an uncommitted task counts as unfinished, without waiting for its enqueuer. If that transaction
    -- rolls back, the next sweep ends the process.
    UPDATE p
    SET p.Status = CASE WHEN p.TasksFailed > 0 THEN 'Failed' ELSE 'Succeeded' END,
        p.FinishedAt = SYSUTCDATETIME(),
        p.HasWork = 0,
        @ScheduleId = p.ScheduleId
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId
      AND p.Status = 'Closing'
      AND NOT EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL);

    IF @ScheduleId IS NOT NULL
        EXEC {{.Schema}}.NextFiring @ScheduleId;
END;
