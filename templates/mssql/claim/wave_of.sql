-- Function: WaveOf
-- Purpose: The next task of a process: the first pending one, unless a wave before it is not over. Seeks from the process's watermark: no unfinished
-- task has a lower order, and no pending one is up to it. Without one, looks from the beginning; deleted index records that have not been
-- cleaned up make that slow.
-- Access: private; exact under the lock on the process row
-- Parameters:
--   @ProcessId int (required): the process
--   @WaveOrder int (required): of its row, like the next three
--   @WaveRank decimal(27, 0) (required)
--   @WaveTaskId bigint (required)
--   @Running int (required)
-- Columns: TaskId, ExecutionOrder, Rank, EnqueuedById, TransactionId (of the task; NULL = none can start), Asked (1 = an enqueuer has asked for a look from
--   the beginning, and may not have committed), FromOrder (NULL = it looked from the beginning), FromRank, FromTaskId
CREATE OR ALTER FUNCTION {{.Schema}}.WaveOf
(@ProcessId int, @WaveOrder int, @WaveRank decimal(27, 0), @WaveTaskId bigint, @Running int)
RETURNS TABLE
AS
RETURN
(
    -- READPAST: under the lock on the process row, a locked row is one that is not committed. A commit releases its locks one by one, so a task
    -- of a later wave may be seen before tasks of an earlier one: see ChooseTask. Attempt makes it look at the row, not only at its entry.
    SELECT n.TaskId, n.ExecutionOrder, n.Rank, n.EnqueuedById, n.TransactionId, q.Asked, f.FromOrder, f.FromRank, f.FromTaskId
    FROM (SELECT CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS o WITH (NOLOCK)
                                   WHERE o.ProcessId = @ProcessId AND o.Action = 'Look') THEN 1 ELSE 0 END AS Asked) AS q
    CROSS APPLY (SELECT CASE q.Asked WHEN 0 THEN @WaveOrder END AS FromOrder,
                        CASE WHEN q.Asked = 0 AND @WaveOrder IS NOT NULL THEN @WaveTaskId ELSE 0 END AS FromTaskId,
                        CASE WHEN q.Asked = 0 AND @WaveOrder IS NOT NULL THEN @WaveRank
                             ELSE CONVERT(decimal(27, 0), -99999999999999999999999999) END AS FromRank) AS f
    OUTER APPLY (SELECT TOP (1) t.TaskId, t.ExecutionOrder, t.Rank, t.EnqueuedById, t.TransactionId
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                 WHERE t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank = f.FromRank AND t.TaskId > f.FromTaskId AND t.Attempt >= 0
                 ORDER BY t.TaskId) AS a
    OUTER APPLY (SELECT TOP (1) t.TaskId, t.ExecutionOrder, t.Rank, t.EnqueuedById, t.TransactionId
                 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                 WHERE a.TaskId IS NULL AND t.ProcessId = @ProcessId AND t.Status = 'Pending' AND t.Rank > f.FromRank AND t.Attempt >= 0
                 ORDER BY t.Rank, t.TaskId) AS b
    CROSS APPLY (SELECT ISNULL(a.TaskId, b.TaskId) AS TaskId, ISNULL(a.ExecutionOrder, b.ExecutionOrder) AS ExecutionOrder,
                        ISNULL(a.Rank, b.Rank) AS Rank, ISNULL(a.EnqueuedById, b.EnqueuedById) AS EnqueuedById,
                        ISNULL(a.TransactionId, b.TransactionId) AS TransactionId) AS x
    -- What else is unfinished before it. With a watermark, running tasks are counted; waiting ones are read backward, because resources are granted
    -- from the beginning of a line, where deleted records are.
    OUTER APPLY (SELECT TOP (1) t.TaskId FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE f.FromOrder IS NULL AND t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
                   AND t.ExecutionOrder < ISNULL(x.ExecutionOrder, 2147483647)
                 ORDER BY t.ExecutionOrder) AS u
    OUTER APPLY (SELECT TOP (1) t.TaskId FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                 WHERE (x.ExecutionOrder IS NULL OR x.ExecutionOrder > f.FromOrder) AND @Running = 0
                   AND t.ProcessId = @ProcessId AND t.Status = 'Waiting' AND t.ExecutionOrder < ISNULL(x.ExecutionOrder, 2147483647)
                 ORDER BY t.ExecutionOrder DESC, t.TaskId DESC) AS v
    -- Who makes a task wait for a retry or a resource has held the lock on the process row, and may not have released the task's yet.
    OUTER APPLY (SELECT TOP (1) t.TaskId FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
                 WHERE (x.ExecutionOrder IS NULL OR x.ExecutionOrder > f.FromOrder) AND @Running = 0 AND v.TaskId IS NULL AND t.WaitReason <> 'Delay'
                   AND t.ProcessId = @ProcessId AND t.Status = 'Waiting' AND t.ExecutionOrder < ISNULL(x.ExecutionOrder, 2147483647)
                 ORDER BY t.ExecutionOrder DESC, t.TaskId DESC) AS r
    OUTER APPLY (SELECT x.TaskId, x.ExecutionOrder, x.Rank, x.EnqueuedById, x.TransactionId
                 WHERE COALESCE(u.TaskId, v.TaskId, r.TaskId) IS NULL
                   AND (f.FromOrder IS NULL OR x.ExecutionOrder = f.FromOrder OR @Running = 0)) AS n
);
