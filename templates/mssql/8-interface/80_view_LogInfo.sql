-- View: LogInfo
-- Purpose: One row per attempt. Users see their own tasks; readers and administrators see all.
-- The text columns repeat the check, see TaskInfo.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: LogId, TaskId, ProcessId, ExecutionOrder, TaskBody, SPID, StartTime, EndTime (the columns of the first published
--   version of this scheduler; times are UTC), Attempt, LaneId, WorkerId, Outcome, RowsAffected, ErrorNumber, ErrorMessage,
--   ErrorProcedure, ErrorLine, EnqueuedBy, and of a task that has not been purged: EnqueuedAt, TimeoutSeconds, StopOutcome (of the attempt of
--   a Stopping task: its outcome unless it still succeeds), OverranSeconds (how long it has run, or runs, after its timeout; NULL = not at all)
-- Example: SELECT * FROM dbsched.LogInfo ORDER BY LogId;
CREATE OR ALTER VIEW {{.Schema}}.LogInfo
AS
SELECT g.LogId,
       g.TaskId,
       g.ProcessId,
       g.ExecutionOrder,
       CASE WHEN me.SeesAll = 1 OR g.EnqueuedBySid = me.UserSid THEN g.SqlText END AS TaskBody,
       g.SessionId AS SPID,
       g.StartedAt AS StartTime,
       g.EndedAt AS EndTime,
       g.Attempt,
       g.LaneId,
       g.WorkerId,
       ISNULL(g.Outcome, 'Running') AS Outcome,
       g.RowsAffected,
       g.ErrorNumber,
       CASE WHEN me.SeesAll = 1 OR g.EnqueuedBySid = me.UserSid THEN g.ErrorMessage END AS ErrorMessage,
       g.ErrorProcedure,
       g.ErrorLine,
       g.EnqueuedByName AS EnqueuedBy,
       t.EnqueuedAt,
       t.TimeoutSeconds,
       CASE WHEN g.EndedAt IS NULL AND t.Status = 'Stopping' THEN ISNULL(t.StopOutcome, 'Cancelled') END AS StopOutcome,
       {{.Overran}} AS OverranSeconds
FROM {{.Schema}}.Logs AS g WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = g.TaskId
CROSS JOIN (SELECT {{.UserSid}} AS UserSid,
                   CASE WHEN IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1 OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1
                        THEN 1 ELSE 0 END AS SeesAll) AS me
WHERE me.SeesAll = 1
   OR g.EnqueuedBySid = me.UserSid;
