-- Function: WaveOf
-- Purpose: The wave that a process is in, which is its lowest unfinished order, and its first pending task. Seeks from the watermark: no
-- unfinished task has a lower order, and no pending one of this wave is up to it. Otherwise looks from the beginning; deleted index records
-- that have not been cleaned up make that slow.
-- Access: private; exact under the lock on the process row
-- Parameters:
--   @ProcessId int (required): the process
--   @WaveOrder int (required): of its row, like the next four
--   @WaveRank bigint (required)
--   @WaveTaskId bigint (required)
--   @Look bit (required)
--   @Running int (required)
-- Columns: TaskId (NULL = none is pending), ExecutionOrder (NULL = none is unfinished), Rank and AfterTaskId (where pending tasks of the wave
--   begin), FromOrder (WaveOrder; NULL = it looked from the beginning), Asked (1 = an enqueuer has asked for that, and may not have committed)
CREATE OR ALTER FUNCTION {{.Schema}}.WaveOf (@ProcessId int, @WaveOrder int, @WaveRank bigint, @WaveTaskId bigint, @Look bit, @Running int)
RETURNS TABLE
AS
RETURN
(
    -- READPAST: a locked row is one that is not committed; Attempt makes it look at the row, not only at its entry in the index.
    SELECT COALESCE(a.TaskId, b.TaskId, n.TaskId) AS TaskId, x.ExecutionOrder, f.FromOrder, f.Asked,
           CASE WHEN x.ExecutionOrder = f.FromOrder THEN @WaveRank ELSE CONVERT(bigint, -9223372036854775808) END AS Rank,
           CASE WHEN x.ExecutionOrder = f.FromOrder THEN @WaveTaskId ELSE 0 END AS AfterTaskId
    FROM (SELECT q.Asked, CASE WHEN q.Asked = 0 AND @Look = 0 THEN @WaveOrder END AS FromOrder
          FROM (SELECT CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS r WITH (NOLOCK)
                                         WHERE r.ProcessId = @ProcessId AND r.Action = 'Look') THEN 1 ELSE 0 END AS Asked) AS q) AS f
    OUTER APPLY (SELECT TOP (1) t.TaskId
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = f.FromOrder AND t.Status = 'Pending'
                   AND t.Rank = @WaveRank AND t.TaskId > @WaveTaskId AND t.Attempt >= 0
                 ORDER BY t.TaskId) AS a
    OUTER APPLY (SELECT TOP (1) t.TaskId
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE a.TaskId IS NULL AND t.ProcessId = @ProcessId AND t.ExecutionOrder = f.FromOrder AND t.Status = 'Pending'
                   AND t.Rank > @WaveRank AND t.Attempt >= 0
                 ORDER BY t.Rank, t.TaskId) AS b
    -- Backward: a resource's line is served from its beginning, where deleted records are.
    OUTER APPLY (SELECT TOP (1) t.TaskId
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE a.TaskId IS NULL AND b.TaskId IS NULL AND @Running = 0
                   AND t.ProcessId = @ProcessId AND t.ExecutionOrder <= f.FromOrder AND t.Status = 'Waiting'
                 ORDER BY t.ExecutionOrder DESC, t.TaskId DESC) AS v
    -- Is the wave over? Then the next one.
    OUTER APPLY (SELECT TOP (1) t.ExecutionOrder
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE (f.FromOrder IS NULL OR (@Running = 0 AND a.TaskId IS NULL AND b.TaskId IS NULL AND v.TaskId IS NULL))
                   AND t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
                   AND t.ExecutionOrder >= CASE WHEN f.FromOrder IS NULL THEN -2147483648 WHEN f.FromOrder < 2147483647 THEN f.FromOrder + 1 END
                 ORDER BY t.ExecutionOrder) AS o
    OUTER APPLY (SELECT TOP (1) t.TaskId
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = o.ExecutionOrder AND t.Status = 'Pending' AND t.Attempt >= 0
                 ORDER BY t.Rank, t.TaskId) AS n
    CROSS APPLY (SELECT CASE WHEN o.ExecutionOrder IS NOT NULL THEN o.ExecutionOrder
                             WHEN @Running > 0 OR COALESCE(a.TaskId, b.TaskId, v.TaskId) IS NOT NULL THEN f.FromOrder END AS ExecutionOrder) AS x
);
