-- Procedure: EndWave
-- Purpose: What follows when an attempt has ended and its worker goes on elsewhere: marks work that the process has, ends the process if it is
-- closing and has none, and wakes the dispatcher if the next wave needs more workers.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @Order int (required): wave of the attempt; NULL = none has ended
--   @Taken int (required): how many tasks of the next wave the worker will take
--   @Outcome varchar(10) (required): how the attempt ended; an orphan needs a worker
CREATE OR ALTER PROCEDURE {{.Schema}}.EndWave
    @ProcessId int,
    @Order int,
    @Taken int,
    @Outcome varchar(10)
AS
BEGIN
    DECLARE @LowestOrder int, @Pending int = 0, @Done bit = 0;

    -- It must not mark what NextTask does not find, or the two would take turns for ever.
    SELECT @LowestOrder = w.ExecutionOrder, @Done = CASE WHEN p.Running = 0 AND p.Status = 'Closing' THEN 1 ELSE 0 END,
           @Pending = CASE WHEN w.TaskId IS NULL THEN 0 WHEN s.ExecutionOrder = w.ExecutionOrder THEN 2 ELSE 1 END
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    OUTER APPLY {{.Schema}}.WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w
    OUTER APPLY {{.Schema}}.WaveOf(p.ProcessId, ISNULL(w.ExecutionOrder, 0), w.Rank, w.TaskId, 1) AS s -- the one after it, if there is one
    WHERE p.ProcessId = @ProcessId
    OPTION (MAXDOP 1);

    IF @Pending > 0
        UPDATE p
        SET p.HasWork = 1
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId AND p.HasWork = 0 AND p.Status IN ('Open', 'Closing');
    ELSE IF @Done = 1 AND @Order IS NOT NULL
        EXEC {{.Schema}}.CloseIfDone @ProcessId;

    IF (@LowestOrder > @Order AND @Pending > @Taken) OR (@Outcome = 'Orphaned' AND @Pending > 0)
        EXEC {{.Schema}}.SendWake;
END;
