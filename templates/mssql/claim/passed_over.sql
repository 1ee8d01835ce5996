-- Function: PassedOver
-- Purpose: The tasks that keep a watermark from moving: pending ones between two places, and waiting ones of waves before the second. NOLOCK: also
-- those that are not committed, or just being committed. Of their enqueuer and who moves it, each writes first and then reads what the other wrote.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @FromOrder int (required): wave of the first place; NULL = before all tasks
--   @FromRank decimal(27, 0) (required): Rank of the last task before it
--   @FromTaskId bigint (required): that task
--   @ToOrder int (required): wave of the task at the second place
--   @ToRank decimal(27, 0) (required): its Rank
--   @ToTaskId bigint (required): that task
-- Columns: TransactionId
CREATE OR ALTER FUNCTION {{.Schema}}.PassedOver
(@ProcessId int, @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint, @ToOrder int, @ToRank decimal(27, 0), @ToTaskId bigint)
RETURNS TABLE
AS
RETURN
(
    SELECT t.TransactionId FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank = @FromRank AND t.TaskId > @FromTaskId
      AND t.TaskId < CASE WHEN @ToRank > @FromRank THEN CONVERT(bigint, 9223372036854775807) ELSE @ToTaskId END
    UNION ALL
    SELECT t.TransactionId FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank > @FromRank AND t.Rank < @ToRank
    UNION ALL
    SELECT t.TransactionId FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank = @ToRank AND t.TaskId < @ToTaskId AND @ToRank > @FromRank
    UNION ALL
    SELECT t.TransactionId FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.Status = 'Waiting' AND t.ExecutionOrder < @ToOrder AND (@FromOrder IS NULL OR @ToOrder > @FromOrder)
);
