-- Procedure: MoveWatermark
-- Purpose: Moves the watermark of a process, which has just been moved to a task, back if a pending task, committed or not, would be passed: see
-- PassedOver.
-- Access: private; part of NextTask's transaction, under the lock on the process row.
-- Parameters:
--   @ProcessId int (required): the process
--   @FromOrder int (required): wave of the watermark before; NULL = there was none
--   @FromRank decimal(27, 0) (required): its Rank
--   @FromTaskId bigint (required): its task
--   @Order int (required): wave of the task
--   @Rank decimal(27, 0) (required): its Rank
--   @TaskId bigint (required): the task
CREATE OR ALTER PROCEDURE {{.Schema}}.MoveWatermark
    @ProcessId int,
    @FromOrder int,
    @FromRank decimal(27, 0),
    @FromTaskId bigint,
    @Order int,
    @Rank decimal(27, 0),
    @TaskId bigint
AS
BEGIN
    IF @FromOrder IS NULL -- the task was found from the beginning
        SELECT @FromRank = -99999999999999999999999999, @FromTaskId = 0;

    IF EXISTS (SELECT 1 FROM {{.Schema}}.PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o)
        UPDATE p
        SET p.WaveOrder = CASE @FromOrder WHEN @Order THEN p.WaveOrder END, p.WaveRank = @FromRank, p.WaveTaskId = @FromTaskId
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;
END;
