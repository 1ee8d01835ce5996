-- Procedure: PassTask
-- Purpose: Moves the watermark past a task of its wave that was skipped, or has begun to wait in the line of a resource.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @Order int (required): wave of the task
--   @Rank decimal(27, 0) (required): its Rank
--   @TaskId bigint (required): the task
CREATE OR ALTER PROCEDURE {{.Schema}}.PassTask
    @ProcessId int,
    @Order int,
    @Rank decimal(27, 0),
    @TaskId bigint
AS
BEGIN
    DECLARE @FromRank decimal(27, 0), @FromTaskId bigint;

    -- The variables get what was there before.
    UPDATE p
    SET @FromRank = p.WaveRank, @FromTaskId = p.WaveTaskId, p.WaveRank = @Rank, p.WaveTaskId = @TaskId
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId AND p.WaveOrder = @Order;

    IF @@ROWCOUNT = 1
        EXEC {{.Schema}}.MoveWatermark @ProcessId, @Order, @FromRank, @FromTaskId, @Order, @Rank, @TaskId;
END;
