-- View: TaskInfo
-- Purpose: Tasks and their last attempt. Users see their own tasks; readers and administrators see all.
-- NOLOCK in all views: a monitor neither waits for uncommitted enqueuers nor blocks workers.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: TaskId, ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, WaitReason, DueAt, Name, SqlText, Attempt, MaxAttempts,
--   Failures, Orphans, OnOrphan, EnqueuedAt, EnqueuedBy, EnqueuedByLogin, LaneId, SessionId, StartedAt, FinishedAt, ErrorNumber, ErrorMessage,
--   TimeoutSeconds, StopOutcome (of a Stopping task: its outcome unless it still succeeds), Resource, Access,
--   Parameters, Transactional, DedupKey, DuplicateOf (of a Skipped duplicate: the task with the same key)
-- Example: SELECT * FROM dbsched.TaskInfo WHERE Status = 'Failed';
CREATE OR ALTER VIEW {{.Schema}}.TaskInfo
AS
-- NULL in hidden rows, see Viewer, except TaskId and FinishedAt, which have indexes.
SELECT t.TaskId,
       CASE WHEN v.Mine = 1 THEN t.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN t.ExecutionOrder END AS ExecutionOrder,
       CASE WHEN v.Mine = 1 THEN t.Priority END AS Priority,
       CASE WHEN v.Mine = 1 THEN t.ExpectedSeconds END AS ExpectedSeconds,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN t.Status = 'Pending' AND p.Status = 'Suspended' THEN 'Waiting' ELSE t.Status END AS Status,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN t.Status = 'Pending' AND p.Status = 'Suspended' THEN 'Suspended' ELSE t.WaitReason END AS WaitReason,
       CASE WHEN v.Mine = 1 THEN t.DueAt END AS DueAt,
       CASE WHEN v.Mine = 1 THEN t.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN t.SqlText END AS SqlText,
       CASE WHEN v.Mine = 1 THEN t.Attempt END AS Attempt,
       CASE WHEN v.Mine = 1 THEN t.MaxAttempts END AS MaxAttempts,
       CASE WHEN v.Mine = 1 THEN t.Failures END AS Failures,
       CASE WHEN v.Mine = 1 THEN t.Orphans END AS Orphans,
       CASE WHEN v.Mine = 1 THEN t.OnOrphan END AS OnOrphan,
       CASE WHEN v.Mine = 1 THEN t.EnqueuedAt END AS EnqueuedAt,
       CASE WHEN v.Mine = 1 THEN t.EnqueuedByName END AS EnqueuedBy,
       CASE WHEN v.Mine = 1 THEN t.EnqueuedByLogin END AS EnqueuedByLogin,
       CASE WHEN v.Mine = 1 THEN g.LaneId END AS LaneId,
       CASE WHEN v.Mine = 1 THEN g.SessionId END AS SessionId,
       CASE WHEN v.Mine = 1 THEN t.StartedAt END AS StartedAt,
       t.FinishedAt,
       CASE WHEN v.Mine = 1 THEN g.ErrorNumber END AS ErrorNumber,
       CASE WHEN v.Mine = 1 THEN g.ErrorMessage END AS ErrorMessage,
       CASE WHEN v.Mine = 1 THEN t.TimeoutSeconds END AS TimeoutSeconds,
       CASE WHEN v.Mine = 1 AND t.Status = 'Stopping' THEN ISNULL(t.StopOutcome, 'Cancelled') END AS StopOutcome,
       CASE WHEN v.Mine = 1 THEN s.Name END AS Resource,
       CASE WHEN v.Mine = 1 THEN t.Access END AS Access,
       CASE WHEN v.Mine = 1 THEN t.Parameters END AS Parameters,
       CASE WHEN v.Mine = 1 THEN t.Transactional END AS Transactional,
       CASE WHEN v.Mine = 1 THEN t.DedupKey END AS DedupKey,
       CASE WHEN v.Mine = 1 THEN t.DuplicateOf END AS DuplicateOf
FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR t.EnqueuedBySid = me.UserSid THEN 1 END AS Mine) AS v
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
LEFT JOIN {{.Schema}}.Logs AS g WITH (NOLOCK) ON g.LogId = t.LogId
LEFT JOIN {{.Schema}}.Resources AS s WITH (NOLOCK) ON s.ResourceId = t.ResourceId
WHERE v.Mine = 1;
