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
    DECLARE @LowestOrder int, @Pending int = 0;

    -- It must not mark what NextTask does not find, or the two would take turns for ever: the same locks, also on the row, where Attempt is.
    SELECT @LowestOrder = w.ExecutionOrder,
           @Pending = (SELECT COUNT(*)
                       FROM (SELECT TOP (2) t.TaskId
                             FROM {{.Schema}}.Tasks AS t WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                             WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = w.ExecutionOrder AND t.Status = 'Pending' AND t.Attempt >= 0) AS x)
    FROM (SELECT TOP (1) u.ExecutionOrder
          FROM {{.Schema}}.Tasks AS u WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
          WHERE u.ProcessId = @ProcessId AND u.FinishedAt IS NULL
          ORDER BY u.ExecutionOrder) AS w
    OPTION (MAXDOP 1);

    IF @Pending > 0
        UPDATE p
        SET p.HasWork = 1
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId AND p.HasWork = 0 AND p.Status IN ('Open', 'Closing');
    ELSE IF @LowestOrder IS NULL AND @Order IS NOT NULL
        EXEC {{.Schema}}.CloseIfDone @ProcessId;

    IF (@LowestOrder > @Order AND @Pending > @Taken) OR (@Outcome = 'Orphaned' AND @Pending > 0)
        EXEC {{.Schema}}.SendWake;
END;
