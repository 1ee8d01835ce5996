-- View: TaskInfo
-- Purpose: Tasks with their last attempt. Users see their own; readers and administrators see all.
-- NOLOCK in all views: a monitor neither waits for enqueuers that have not committed nor makes workers wait.
-- The text columns test it a second time: SQL Server may evaluate a reader's own condition before the view's, and a
-- conversion that fails would show the text of a row that he does not get.
-- A user is known by number and name: numbers are given again after DROP USER.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: TaskId, ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, WaitReason, DueAt, SqlText, Attempt, MaxAttempts,
--   Failures, Orphans, OnOrphan, EnqueuedAt, EnqueuedBy, EnqueuedByLogin, LaneId, SessionId, StartedAt, FinishedAt, ErrorNumber, ErrorMessage,
--   TimeoutSeconds, StopOutcome (of a Stopping task: what it becomes unless it still succeeds), Resource, Access,
--   Parameters, Transactional, DedupKey, DuplicateOf (the task of the same key for whose sake it was Skipped)
-- Example: SELECT * FROM dbsched.TaskInfo WHERE Status = 'Failed';
CREATE OR ALTER VIEW {{.Schema}}.TaskInfo
AS
SELECT t.TaskId,
       t.ProcessId,
       t.ExecutionOrder,
       t.Priority,
       t.ExpectedSeconds,
       CASE WHEN t.Status = 'Pending' AND p.Status = 'Suspended' THEN 'Waiting' ELSE t.Status END AS Status,
       CASE WHEN t.Status = 'Pending' AND p.Status = 'Suspended' THEN 'Suspended' ELSE t.WaitReason END AS WaitReason,
       t.DueAt,
       CASE WHEN me.SeesAll = 1 OR t.EnqueuedBySid = me.UserSid THEN t.SqlText END AS SqlText,
       t.Attempt,
       t.MaxAttempts,
       t.Failures,
       t.Orphans,
       t.OnOrphan,
       t.EnqueuedAt,
       t.EnqueuedByName AS EnqueuedBy,
       t.EnqueuedByLogin,
       g.LaneId,
       g.SessionId,
       t.StartedAt,
       t.FinishedAt,
       g.ErrorNumber,
       CASE WHEN me.SeesAll = 1 OR t.EnqueuedBySid = me.UserSid THEN g.ErrorMessage END AS ErrorMessage,
       t.TimeoutSeconds,
       CASE WHEN t.Status = 'Stopping' THEN ISNULL(t.StopOutcome, 'Cancelled') END AS StopOutcome,
       s.Name AS Resource,
       t.Access,
       CASE WHEN me.SeesAll = 1 OR t.EnqueuedBySid = me.UserSid THEN t.Parameters END AS Parameters,
       t.Transactional,
       t.DedupKey,
       t.DuplicateOf
FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
LEFT JOIN {{.Schema}}.Logs AS g WITH (NOLOCK) ON g.LogId = t.LogId
LEFT JOIN {{.Schema}}.Resources AS s WITH (NOLOCK) ON s.ResourceId = t.ResourceId
CROSS JOIN (SELECT {{.UserSid}} AS UserSid,
                   CASE WHEN IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1 OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1
                        THEN 1 ELSE 0 END AS SeesAll) AS me
WHERE me.SeesAll = 1
   OR t.EnqueuedBySid = me.UserSid;
