-- View: TaskInfo
-- Purpose: Tasks with their last attempt. Users see their own; readers and administrators see all.
-- NOLOCK in all views: a monitor neither waits for enqueuers that have not committed nor makes workers wait.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: TaskId, ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, WaitReason, DueAt, SqlText, Attempt, MaxAttempts,
--   Failures, Orphans, OnOrphan, EnqueuedAt, EnqueuedBy, EnqueuedByLogin, LaneId, SessionId, StartedAt, FinishedAt, ErrorNumber, ErrorMessage
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
       t.SqlText,
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
       g.ErrorMessage
FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.ProcessId = t.ProcessId
LEFT JOIN {{.Schema}}.Logs AS g WITH (NOLOCK) ON g.LogId = t.LogId
WHERE t.EnqueuedById = DATABASE_PRINCIPAL_ID()
   OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
   OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
   OR IS_ROLEMEMBER(N'db_owner') = 1;
