-- Procedure: ChooseTask
-- Purpose: Chooses the next task of a process: the first pending one of its lowest unfinished wave.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @OnlyUserId int (required): the only principal whose tasks this session runs; NULL = any
--   @TaskId bigint OUTPUT: the task; NULL = none
--   @Order int OUTPUT: its wave; NULL = nothing in the process can start, and HasWork is 0
--   @Rank decimal(27, 0) OUTPUT: its Rank
--   @Keep bit OUTPUT: 1 = the watermark must stay where it is
--   @Early bit OUTPUT: 1 = a task of an earlier wave is just being committed: look again
--   @Result varchar(10) OUTPUT: OtherUser if another principal's task is next, otherwise unchanged
CREATE OR ALTER PROCEDURE {{.Schema}}.ChooseTask
    @ProcessId int,
    @OnlyUserId int,
    @TaskId bigint OUTPUT,
    @Order int OUTPUT,
    @Rank decimal(27, 0) OUTPUT,
    @Keep bit OUTPUT,
    @Early bit OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @UserId int, @TransactionId bigint, @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint;

    SELECT @TaskId = w.TaskId, @Order = w.ExecutionOrder, @Rank = w.Rank, @UserId = w.EnqueuedById, @TransactionId = w.TransactionId,
           @Keep = w.Asked, @FromOrder = w.FromOrder, @FromRank = w.FromRank, @FromTaskId = w.FromTaskId
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    CROSS APPLY {{.Schema}}.WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w
    WHERE p.ProcessId = @ProcessId
    OPTION (MAXDOP 1);

    IF @TaskId IS NULL
    BEGIN
        -- The dispatcher checks only rows with HasWork = 0, so 0 must be written before the last look, which EndWave takes.
        UPDATE p SET p.HasWork = 0 FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
        RETURN;
    END;

    IF @UserId <> @OnlyUserId
    BEGIN
        SELECT @Result = 'OtherUser', @TaskId = NULL;
        RETURN;
    END;

    IF @Order = @FromOrder -- it is of the watermark's wave, which has begun
        RETURN;

    -- A commit releases its locks one by one: a task before it, of its transaction, may still be locked.
    IF EXISTS (SELECT 1
               FROM {{.Schema}}.PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o
               WHERE o.TransactionId = @TransactionId)
        SELECT @Early = 1, @TaskId = NULL;

    -- A first watermark must wait for running tasks of later waves: they would look like tasks of this one.
    IF @FromOrder IS NULL
       AND EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS r WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Worker))
                   WHERE r.LaneId > 0 AND r.WorkerId IS NOT NULL AND r.ProcessId = @ProcessId AND r.ExecutionOrder > @Order)
        SET @Keep = 1;
END;
