-- View: LogInfo
-- Purpose: One row per attempt. Users see their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: LogId, TaskId, ProcessId, ExecutionOrder, TaskBody, SPID, StartTime, EndTime (the columns of the first published
--   version of this scheduler, times in UTC), Attempt, LaneId, WorkerId, Outcome, RowsAffected, ErrorNumber, ErrorMessage,
--   ErrorProcedure, ErrorLine, EnqueuedBy
-- Example: SELECT * FROM dbsched.LogInfo ORDER BY LogId;
CREATE OR ALTER VIEW {{.Schema}}.LogInfo
AS
-- The texts are tested again: see TaskInfo.
SELECT g.LogId,
       g.TaskId,
       g.ProcessId,
       g.ExecutionOrder,
       CASE WHEN {{.SeesAll}}
                 OR (g.EnqueuedById = DATABASE_PRINCIPAL_ID() AND g.EnqueuedByName = USER_NAME()) THEN g.SqlText END AS TaskBody,
       g.SessionId AS SPID,
       g.StartedAt AS StartTime,
       g.EndedAt AS EndTime,
       g.Attempt,
       g.LaneId,
       g.WorkerId,
       ISNULL(g.Outcome, 'Running') AS Outcome,
       g.RowsAffected,
       g.ErrorNumber,
       CASE WHEN {{.SeesAll}}
                 OR (g.EnqueuedById = DATABASE_PRINCIPAL_ID() AND g.EnqueuedByName = USER_NAME()) THEN g.ErrorMessage END AS ErrorMessage,
       g.ErrorProcedure,
       g.ErrorLine,
       g.EnqueuedByName AS EnqueuedBy
FROM {{.Schema}}.Logs AS g WITH (NOLOCK)
WHERE {{.SeesAll}}
   OR (g.EnqueuedById = DATABASE_PRINCIPAL_ID() AND g.EnqueuedByName = USER_NAME());
