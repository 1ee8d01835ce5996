-- Procedure: SucceedTask
-- Purpose: Records that an attempt succeeded, and gives what the task held to the next in line. Its twin for other outcomes is FailTask.
-- Access: private; part of the transaction of NextTask or CompleteAttempt.
-- Parameters:
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @Rows bigint (required): rows of the last statement
--   @Order int OUTPUT: wave of the task; NULL = the attempt no longer belongs to @WorkerId: roll back
--   @Held bit OUTPUT: 1 = the task held resources
--   @HadWork bit OUTPUT: HasWork of the process
CREATE OR ALTER PROCEDURE {{.Schema}}.SucceedTask
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @WorkerId uniqueidentifier,
    @Rows bigint,
    @Order int OUTPUT,
    @Held bit OUTPUT,
    @HadWork bit OUTPUT
AS
BEGIN
    SELECT @Order = NULL, @Held = 0;

    -- The process row first: its lock makes all that follows one session's at a time.
    UPDATE p
    SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END, p.TasksSucceeded = p.TasksSucceeded + 1, @HadWork = p.HasWork
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    -- Only this attempt of this worker. One that is being stopped, but has done its work, has succeeded.
    UPDATE t
    SET @Order = t.ExecutionOrder,
        @Held = CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK)
                                  WHERE r.ProcessId = @ProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @TaskId) THEN 1 ELSE 0 END,
        t.Status = 'Succeeded', t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL, t.FinishedAt = SYSUTCDATETIME()
    FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId AND t.LogId = @LogId AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping');

    IF @Order IS NULL
        RETURN;

    UPDATE g
    SET g.EndedAt = SYSUTCDATETIME(), g.Outcome = 'Succeeded', g.RowsAffected = @Rows
    FROM {{.Schema}}.Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE g.LogId = @LogId;

    -- The task's resource, and any that it acquired itself.
    IF @Held = 1
        EXEC {{.Schema}}.LeaveResourceLine @ProcessId, @TaskId;
END;
