-- View: ProcessInfo
-- Purpose: Processes and their unfinished work. Users see their own and the default process (which counts all users'
-- tasks); readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: ProcessId, Name, Status, OnError, Priority, Weight, MaxParallel, Running, Unfinished, LowestOrder, TasksSucceeded,
--   TasksFailed, CreatedAt, FinishedAt, LastServedAt, CreatedBy
-- Example: SELECT * FROM dbsched.ProcessInfo WHERE FinishedAt IS NULL;
CREATE OR ALTER VIEW {{.Schema}}.ProcessInfo
AS
-- NULL in hidden rows, see Viewer, except ProcessId, which has an index.
SELECT p.ProcessId,
       CASE WHEN v.Mine = 1 THEN p.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN p.Status END AS Status,
       CASE WHEN v.Mine = 1 THEN p.OnError END AS OnError,
       CASE WHEN v.Mine = 1 THEN p.Priority END AS Priority,
       CASE WHEN v.Mine = 1 THEN p.Weight END AS Weight,
       CASE WHEN v.Mine = 1 THEN p.MaxParallel END AS MaxParallel,
       CASE WHEN v.Mine = 1 THEN p.Running END AS Running,
       CASE WHEN v.Mine = 1 THEN n.Unfinished END AS Unfinished,
       CASE WHEN v.Mine = 1 THEN n.LowestOrder END AS LowestOrder,
       CASE WHEN v.Mine = 1 THEN p.TasksSucceeded END AS TasksSucceeded,
       CASE WHEN v.Mine = 1 THEN p.TasksFailed END AS TasksFailed,
       CASE WHEN v.Mine = 1 THEN p.CreatedAt END AS CreatedAt,
       CASE WHEN v.Mine = 1 THEN p.FinishedAt END AS FinishedAt,
       CASE WHEN v.Mine = 1 THEN p.LastServedAt END AS LastServedAt,
       CASE WHEN v.Mine = 1 THEN p.CreatedByName END AS CreatedBy
FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
OUTER APPLY (SELECT COUNT(*) AS Unfinished, MIN(t.ExecutionOrder) AS LowestOrder FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
             WHERE t.ProcessId = p.ProcessId AND t.FinishedAt IS NULL) AS n
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN p.ProcessId = 1 OR me.SeesAll = 1 OR p.CreatedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE p.ProcessId > 0 AND v.Mine = 1;
