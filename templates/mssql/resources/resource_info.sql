-- View: ResourceInfo
-- Purpose: Resources and their lines: one row for each request, and one row for a resource with no holders or waiters.
-- Users see all requests, but the requester only of their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: Resource, Capacity, Held, Waiting (number of requests that hold it, and that wait), RequestId (also the order of the line), Status
--   (Waiting; Reserved: granted, but the requester has not been told yet; Granted), Access, Requester, RequestedBy,
--   RequestedByLogin, ProcessId, TaskId, SessionId, RequestedAt, GrantedAt, LeaseUntil
-- Example: SELECT * FROM dbsched.ResourceInfo ORDER BY Resource, RequestId;
CREATE OR ALTER VIEW {{.Schema}}.ResourceInfo
AS
SELECT s.Name AS Resource,
       s.Capacity,
       (SELECT COUNT(*) FROM {{.Schema}}.ResourceRequests AS h WITH (NOLOCK)
        WHERE h.ResourceId = s.ResourceId AND h.Status IN ('Granted', 'Reserved')) AS Held,
       (SELECT COUNT(*) FROM {{.Schema}}.ResourceRequests AS w WITH (NOLOCK)
        WHERE w.ResourceId = s.ResourceId AND w.Status = 'Waiting') AS Waiting,
       r.RequestId,
       r.Status,
       r.Access,
       CASE WHEN v.Mine = 1 THEN r.Requester END AS Requester,
       CASE WHEN v.Mine = 1 THEN r.RequestedByName END AS RequestedBy,
       CASE WHEN v.Mine = 1 THEN r.RequestedByLogin END AS RequestedByLogin,
       CASE WHEN v.Mine = 1 THEN r.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN r.TaskId END AS TaskId,
       CASE WHEN v.Mine = 1 THEN r.SessionId END AS SessionId,
       r.RequestedAt,
       r.GrantedAt,
       r.LeaseUntil
FROM {{.Schema}}.Resources AS s WITH (NOLOCK)
LEFT JOIN {{.Schema}}.ResourceRequests AS r WITH (NOLOCK) ON r.ResourceId = s.ResourceId
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR r.RequestedBySid = me.UserSid THEN 1 END AS Mine) AS v;
