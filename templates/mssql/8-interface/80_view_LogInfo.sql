-- View: LogInfo
-- Purpose: One row per attempt. Users see their own tasks; readers and administrators see all.
-- The text columns repeat the check, see TaskInfo.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: LogId, TaskId, ProcessId, ExecutionOrder, TaskBody, SPID, StartTime, EndTime (the columns of the first published
--   version of this scheduler; times are UTC), Attempt, LaneId, WorkerId, Outcome, RowsAffected, ErrorNumber, ErrorMessage,
--   ErrorProcedure, ErrorLine, EnqueuedBy
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
       g.EnqueuedByName AS EnqueuedBy
FROM {{.Schema}}.Logs AS g WITH (NOLOCK)
CROSS JOIN (SELECT {{.UserSid}} AS UserSid,
                   CASE WHEN IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1 OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1
                        THEN 1 ELSE 0 END AS SeesAll) AS me
WHERE me.SeesAll = 1
   OR g.EnqueuedBySid = me.UserSid;
