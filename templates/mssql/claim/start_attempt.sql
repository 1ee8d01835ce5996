-- Procedure: StartAttempt
-- Purpose: Makes a chosen task Running, with the log row of the attempt, and moves the watermark to it.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @Order int (required): its wave
--   @Rank decimal(27, 0) (required): its Rank
--   @Keep bit (required): 1 = the watermark must stay where it is
--   @LogId bigint OUTPUT: the log row
--   @Transactional bit OUTPUT: 1 = task and completion are one transaction
--   @UserId int OUTPUT: principal that enqueued it
CREATE OR ALTER PROCEDURE {{.Schema}}.StartAttempt
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint,
    @Order int,
    @Rank decimal(27, 0),
    @Keep bit,
    @LogId bigint OUTPUT,
    @Transactional bit OUTPUT,
    @UserId int OUTPUT
AS
BEGIN
    DECLARE @Now datetime2(7) = SYSUTCDATETIME(), @StopAt datetime2(7), @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint;

    -- The variables get what was there before.
    UPDATE p
    SET p.Running = p.Running + 1, p.LastServedAt = @Now,
        @FromOrder = p.WaveOrder, @FromRank = p.WaveRank, @FromTaskId = p.WaveTaskId,
        p.WaveOrder = CASE @Keep WHEN 0 THEN @Order ELSE p.WaveOrder END,
        p.WaveRank = CASE @Keep WHEN 0 THEN @Rank ELSE p.WaveRank END,
        p.WaveTaskId = CASE @Keep WHEN 0 THEN @TaskId ELSE p.WaveTaskId END
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    INSERT INTO {{.Schema}}.Logs WITH (ROWLOCK)
        (TaskId, ProcessId, ExecutionOrder, Attempt, TaskName, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt)
    SELECT t.TaskId, t.ProcessId, t.ExecutionOrder, t.Attempt + 1, t.Name, LEFT(t.SqlText, 4000), t.EnqueuedBySid, t.EnqueuedByName,
           @LaneId, @WorkerId, @@SPID, @Now
    FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.TaskId = @TaskId;

    SET @LogId = SCOPE_IDENTITY();

    UPDATE t
    SET t.Status = 'Running', t.Attempt = t.Attempt + 1, t.LaneId = @LaneId, t.WorkerId = @WorkerId, t.LogId = @LogId, t.StartedAt = @Now,
        @StopAt = t.StopAt = DATEADD(second, t.TimeoutSeconds, @Now), t.StopOutcome = NULL, t.StopTries = 0,
        @Transactional = t.Transactional, @UserId = t.EnqueuedById
    FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId;

    -- The dispatcher sets its timer for the deadline, unless the next sweep comes first.
    IF @StopAt IS NOT NULL
       AND @StopAt < (SELECT s.NextSweepAt FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1)
        EXEC {{.Schema}}.SendWake;

    IF @Keep = 0
        EXEC {{.Schema}}.MoveWatermark @ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId;
END;
