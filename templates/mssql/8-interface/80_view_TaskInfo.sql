-- View: TaskInfo
-- Purpose: Tasks and their last attempt. Users see their own tasks; readers and administrators see all.
-- NOLOCK in all views: a monitor neither waits for uncommitted enqueuers nor blocks workers.
-- The text columns repeat the check: SQL Server may evaluate a condition of the caller's query before the view's, and the error
-- of a failed conversion would then show text from a hidden row.
-- Users are compared by SID: names and numbers are reused after DROP USER.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: TaskId, ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, WaitReason, DueAt, SqlText, Attempt, MaxAttempts,
--   Failures, Orphans, OnOrphan, EnqueuedAt, EnqueuedBy, EnqueuedByLogin, LaneId, SessionId, StartedAt, FinishedAt, ErrorNumber, ErrorMessage,
--   TimeoutSeconds, StopOutcome (of a Stopping task: its outcome unless it still succeeds), Resource, Access,
--   Parameters, Transactional, DedupKey, DuplicateOf (of a Skipped duplicate: the task with the same key), RetryDelaySeconds,
--   OverranSeconds (how long its last attempt has run, or runs, after its timeout; NULL = not at all)
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
       t.DuplicateOf,
       t.RetryDelaySeconds,
       {{.Overran}} AS OverranSeconds
FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
LEFT JOIN {{.Schema}}.Logs AS g WITH (NOLOCK) ON g.LogId = t.LogId
LEFT JOIN {{.Schema}}.Resources AS s WITH (NOLOCK) ON s.ResourceId = t.ResourceId
CROSS JOIN (SELECT {{.UserSid}} AS UserSid,
                   CASE WHEN IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1 OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1
                        THEN 1 ELSE 0 END AS SeesAll) AS me
WHERE me.SeesAll = 1
   OR t.EnqueuedBySid = me.UserSid;
