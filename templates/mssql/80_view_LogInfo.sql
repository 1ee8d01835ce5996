-- View: LogInfo
-- Purpose: One row per attempt. Users see their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: LogId, TaskId, ProcessId, ExecutionOrder, TaskBody, SPID, StartTime, EndTime (the columns of the first published
--   version of this scheduler, times in UTC), Attempt, LaneId, WorkerId, Outcome, RowsAffected, ErrorNumber, ErrorMessage,
--   ErrorProcedure, ErrorLine, EnqueuedBy
-- Example: SELECT * FROM dbsched.LogInfo ORDER BY LogId;
CREATE OR ALTER VIEW {{.Schema}}.LogInfo
AS
SELECT g.LogId,
       g.TaskId,
       g.ProcessId,
       g.ExecutionOrder,
       g.SqlText AS TaskBody,
       g.SessionId AS SPID,
       g.StartedAt AS StartTime,
       g.EndedAt AS EndTime,
       g.Attempt,
       g.LaneId,
       g.WorkerId,
       ISNULL(g.Outcome, 'Running') AS Outcome,
       g.RowsAffected,
       g.ErrorNumber,
       g.ErrorMessage,
       g.ErrorProcedure,
       g.ErrorLine,
       g.EnqueuedByName AS EnqueuedBy
FROM {{.Schema}}.Logs AS g WITH (NOLOCK)
WHERE g.EnqueuedById = DATABASE_PRINCIPAL_ID()
   OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
   OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
   OR IS_ROLEMEMBER(N'db_owner') = 1;
