-- Function: PassedOver
-- Purpose: The pending tasks of a wave between two places, exclusive, also those that are not committed or just being committed.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @Order int (required): the wave
--   @FromRank bigint (required): the first place: Rank and number of a task
--   @FromTaskId bigint (required): the same
--   @ToRank bigint (required): the second place
--   @ToTaskId bigint (required): the same
-- Columns: TransactionId
CREATE OR ALTER FUNCTION {{.Schema}}.PassedOver (@ProcessId int, @Order int, @FromRank bigint, @FromTaskId bigint, @ToRank bigint, @ToTaskId bigint)
RETURNS TABLE
AS
RETURN
(
    SELECT t.TransactionId
    FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = @Order AND t.Status = 'Pending' AND t.Rank = @FromRank
      AND t.TaskId > @FromTaskId AND t.TaskId < CASE WHEN @ToRank > @FromRank THEN CONVERT(bigint, 9223372036854775807) ELSE @ToTaskId END
    UNION ALL
    SELECT t.TransactionId
    FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = @Order AND t.Status = 'Pending' AND t.Rank > @FromRank AND t.Rank < @ToRank
    UNION ALL
    SELECT t.TransactionId
    FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = @Order AND t.Status = 'Pending' AND t.Rank = @ToRank AND t.TaskId < @ToTaskId AND @ToRank > @FromRank
);
