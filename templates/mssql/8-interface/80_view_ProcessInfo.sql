-- View: ProcessInfo
-- Purpose: Processes and their unfinished work. Users see their own and the default process (which counts all users'
-- tasks); readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: ProcessId, Name, Status, OnError, Priority, Weight, MaxParallel, Running, Unfinished, LowestOrder, TasksSucceeded,
--   TasksFailed, CreatedAt, FinishedAt, LastServedAt, CreatedBy
-- Example: SELECT * FROM dbsched.ProcessInfo WHERE FinishedAt IS NULL;
CREATE OR ALTER VIEW {{.Schema}}.ProcessInfo
AS
SELECT p.ProcessId,
       p.Name,
       p.Status,
       p.OnError,
       p.Priority,
       p.Weight,
       p.MaxParallel,
       p.Running,
       (SELECT COUNT(*) FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = p.ProcessId AND t.FinishedAt IS NULL) AS Unfinished,
       (SELECT MIN(t.ExecutionOrder) FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.ProcessId = p.ProcessId AND t.FinishedAt IS NULL) AS LowestOrder,
       p.TasksSucceeded,
       p.TasksFailed,
       p.CreatedAt,
       p.FinishedAt,
       p.LastServedAt,
       p.CreatedByName AS CreatedBy
FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
WHERE p.ProcessId > 0
  AND (p.ProcessId = 1
       OR p.CreatedBySid = {{.UserSid}}
       OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
       OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
       OR IS_ROLEMEMBER(N'db_owner') = 1);
