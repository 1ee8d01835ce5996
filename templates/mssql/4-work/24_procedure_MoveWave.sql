-- Procedure: MoveWave
-- Purpose: Moves a process's watermark, then takes it back if that passed over a task: another session's insert that is not committed, or is just
-- being committed. Of an insert and this, each writes first and then reads what the other wrote; see WakeOnce.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @FromOrder int (required): its wave now; NULL = WaveOf looked from the beginning
--   @Order int (required): the wave to go to
--   @Rank bigint (required): where in it, see PassedOver
--   @TaskId bigint (required): the same
--   @Asked bit (required): 1 = leave the watermark alone, see WaveOf
--   @TransactionId bigint (required): transaction that enqueued a task of that wave
--   @Early bit OUTPUT: 1 = it also added a task of an earlier wave, whose row is still locked
CREATE OR ALTER PROCEDURE {{.Schema}}.MoveWave
    @ProcessId int,
    @FromOrder int,
    @Order int,
    @Rank bigint,
    @TaskId bigint,
    @Asked bit,
    @TransactionId bigint,
    @Early bit OUTPUT
AS
BEGIN
    DECLARE @Passed int, @FromRank bigint, @FromTaskId bigint;

    UPDATE p
    SET @FromRank = p.WaveRank, @FromTaskId = p.WaveTaskId, p.WaveOrder = @Order, p.WaveRank = @Rank, p.WaveTaskId = @TaskId, p.Look = 0
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId AND @Asked = 0;

    -- The last: running tasks of later waves, because of which Running does not show that this wave is not over.
    SELECT @Passed = COUNT(*), @Early = ISNULL(MAX(CASE WHEN x.TransactionId = @TransactionId THEN 1 ELSE 0 END), 0)
    FROM (SELECT e.TransactionId
          FROM {{.Schema}}.PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, CASE WHEN @Order = @FromOrder THEN @Rank ELSE CONVERT(bigint, 9223372036854775807) END, @TaskId) AS e
          UNION ALL
          SELECT e.TransactionId
          FROM {{.Schema}}.Tasks AS e WITH (NOLOCK, FORCESEEK)
          WHERE e.ProcessId = @ProcessId AND e.FinishedAt IS NULL AND e.ExecutionOrder < @Order
            AND e.ExecutionOrder >= CASE WHEN @FromOrder IS NULL THEN -2147483648 WHEN @FromOrder < 2147483647 THEN @FromOrder + 1 END
          UNION ALL
          SELECT e.TransactionId
          FROM {{.Schema}}.Tasks AS e WITH (NOLOCK, FORCESEEK)
          WHERE e.ProcessId = @ProcessId AND e.Status = 'Waiting' AND e.ExecutionOrder <= @FromOrder AND @Order > @FromOrder
          UNION ALL
          SELECT NULL
          FROM {{.Schema}}.Tasks AS e WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Worker))
          WHERE e.LaneId > 0 AND e.WorkerId IS NOT NULL AND e.ProcessId = @ProcessId AND e.ExecutionOrder > @Order AND @FromOrder IS NULL) AS x
    OPTION (MAXDOP 1);

    IF @Passed > 0
        UPDATE p
        SET p.WaveRank = CASE WHEN @Order = @FromOrder THEN @FromRank ELSE p.WaveRank END,
            p.WaveTaskId = CASE WHEN @Order = @FromOrder THEN @FromTaskId ELSE p.WaveTaskId END,
            p.Look = CASE WHEN @Order = @FromOrder THEN 0 ELSE 1 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId AND @Asked = 0;
END;
