-- Procedure: CheckWave
-- Purpose: Whether a task that is not of the watermark's wave may start now, and the watermark may move to it.
-- Access: private; part of NextTask's transaction, which holds the lock on the process row
-- Parameters:
--   @ProcessId int (required): the process
--   @TransactionId bigint (required): transaction that added the task
--   @FromOrder int (required): wave of the watermark from which the task was found; NULL = from the beginning
--   @FromRank decimal(27, 0) (required): its Rank
--   @FromTaskId bigint (required): its task
--   @Order int (required): wave of the task
--   @Rank decimal(27, 0) (required): its Rank
--   @TaskId bigint OUTPUT: the task; NULL afterwards = @Early
--   @Early bit OUTPUT: 1 = not yet: an earlier task of its transaction is still locked, because a commit releases its locks one by one
--   @Keep bit OUTPUT: 1 = the watermark stays. Without one, running tasks of later waves keep it away: they would look like tasks of this wave
CREATE OR ALTER PROCEDURE {{.Schema}}.CheckWave
    @ProcessId int,
    @TransactionId bigint,
    @FromOrder int,
    @FromRank decimal(27, 0),
    @FromTaskId bigint,
    @Order int,
    @Rank decimal(27, 0),
    @TaskId bigint OUTPUT,
    @Early bit OUTPUT,
    @Keep bit OUTPUT
AS
BEGIN
    SELECT @Early = ISNULL(MAX(CASE WHEN o.TransactionId = @TransactionId THEN 1 ELSE 0 END), 0)
    FROM {{.Schema}}.PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o
    OPTION (MAXDOP 1);

    IF @Early = 1
        SET @TaskId = NULL;

    IF @FromOrder IS NULL
       AND EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS r WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Worker))
                   WHERE r.LaneId > 0 AND r.WorkerId IS NOT NULL AND r.ProcessId = @ProcessId AND r.ExecutionOrder > @Order)
        SET @Keep = 1;
END;
