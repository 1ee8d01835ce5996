-- View: LogInfo
-- Purpose: One row per attempt. Users see their own tasks; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: LogId, TaskId, ProcessId, ExecutionOrder, TaskBody, SPID, StartTime, EndTime (the columns of the first published
--   version of this scheduler; times are UTC), Attempt, LaneId, WorkerId, Outcome, RowsAffected, ErrorNumber, ErrorMessage,
--   ErrorProcedure, ErrorLine, EnqueuedBy, TaskName
-- Example: SELECT * FROM dbsched.LogInfo ORDER BY LogId;
CREATE OR ALTER VIEW {{.Schema}}.LogInfo
AS
-- NULL in hidden rows, see Viewer, except LogId, which has an index.
SELECT g.LogId,
       CASE WHEN v.Mine = 1 THEN g.TaskId END AS TaskId,
       CASE WHEN v.Mine = 1 THEN g.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN g.ExecutionOrder END AS ExecutionOrder,
       CASE WHEN v.Mine = 1 THEN g.SqlText END AS TaskBody,
       CASE WHEN v.Mine = 1 THEN g.SessionId END AS SPID,
       CASE WHEN v.Mine = 1 THEN g.StartedAt END AS StartTime,
       CASE WHEN v.Mine = 1 THEN g.EndedAt END AS EndTime,
       CASE WHEN v.Mine = 1 THEN g.Attempt END AS Attempt,
       CASE WHEN v.Mine = 1 THEN g.LaneId END AS LaneId,
       CASE WHEN v.Mine = 1 THEN g.WorkerId END AS WorkerId,
       CASE WHEN v.Mine = 1 THEN ISNULL(g.Outcome, 'Running') END AS Outcome,
       CASE WHEN v.Mine = 1 THEN g.RowsAffected END AS RowsAffected,
       CASE WHEN v.Mine = 1 THEN g.ErrorNumber END AS ErrorNumber,
       CASE WHEN v.Mine = 1 THEN g.ErrorMessage END AS ErrorMessage,
       CASE WHEN v.Mine = 1 THEN g.ErrorProcedure END AS ErrorProcedure,
       CASE WHEN v.Mine = 1 THEN g.ErrorLine END AS ErrorLine,
       CASE WHEN v.Mine = 1 THEN g.EnqueuedByName END AS EnqueuedBy,
       CASE WHEN v.Mine = 1 THEN g.TaskName END AS TaskName
FROM {{.Schema}}.Logs AS g WITH (NOLOCK)
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR g.EnqueuedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
