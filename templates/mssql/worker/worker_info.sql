-- View: WorkerInfo
-- Purpose: Lanes, and the sessions that work in them.
-- Access: public: dbsched_reader, dbsched_admin
-- Columns: LaneId, Kind (Lane, or Session for a session in TaskScheduler), State, StateAt, WorkerId, SessionId, EnteredAt,
--   TaskId, ProcessId, ExecutionOrder, Attempt, TaskStartedAt
-- Example: SELECT * FROM dbsched.WorkerInfo WHERE State <> 'Idle';
CREATE OR ALTER VIEW {{.Schema}}.WorkerInfo
AS
SELECT l.LaneId,
       CASE WHEN l.LaneId > 1000 THEN 'Session' ELSE 'Lane' END AS Kind,
       l.State,
       l.StateAt,
       l.WorkerId,
       l.SessionId,
       l.EnteredAt,
       t.TaskId,
       t.ProcessId,
       t.ExecutionOrder,
       t.Attempt,
       t.StartedAt AS TaskStartedAt
FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.LaneId = l.LaneId AND t.WorkerId = l.WorkerId AND t.WorkerId IS NOT NULL;
