-- View: RoundInfo
-- Purpose: Rounds, the reports for the current generation, and the result of the last generation. Users see their own;
-- readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: RoundId, Name, Generation, Members, Succeeded, Failed, FirstReportAt, SuccessorJob, SuccessorSql, SuccessorOrder,
--   SuccessorProcessId, MaxAgeSeconds, StartSeconds, LastGeneration, LastStatus, LastFiredAt, LastFiredBy, LastTaskId, LastDetail, DefinedBy
-- Example: SELECT * FROM dbsched.RoundInfo WHERE Succeeded < Members AND FirstReportAt < DATEADD(hour, -1, SYSUTCDATETIME());
CREATE OR ALTER VIEW {{.Schema}}.RoundInfo
AS
-- NULL in hidden rows, see Viewer.
SELECT CASE WHEN v.Mine = 1 THEN r.RoundId END AS RoundId,
       CASE WHEN v.Mine = 1 THEN r.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN r.Generation END AS Generation,
       CASE WHEN v.Mine = 1 THEN n.Members END AS Members,
       CASE WHEN v.Mine = 1 THEN n.Succeeded END AS Succeeded,
       CASE WHEN v.Mine = 1 THEN n.Failed END AS Failed,
       CASE WHEN v.Mine = 1 THEN n.FirstReportAt END AS FirstReportAt,
       CASE WHEN v.Mine = 1 THEN r.SuccessorJob END AS SuccessorJob,
       CASE WHEN v.Mine = 1 THEN r.SuccessorSql END AS SuccessorSql,
       CASE WHEN v.Mine = 1 THEN r.SuccessorOrder END AS SuccessorOrder,
       CASE WHEN v.Mine = 1 THEN r.SuccessorProcessId END AS SuccessorProcessId,
       CASE WHEN v.Mine = 1 THEN r.MaxAgeSeconds END AS MaxAgeSeconds,
       CASE WHEN v.Mine = 1 THEN r.StartSeconds END AS StartSeconds,
       CASE WHEN v.Mine = 1 THEN f.Generation END AS LastGeneration,
       CASE WHEN v.Mine = 1 THEN f.Status END AS LastStatus,
       CASE WHEN v.Mine = 1 THEN f.FiredAt END AS LastFiredAt,
       CASE WHEN v.Mine = 1 THEN f.FiredBy END AS LastFiredBy,
       CASE WHEN v.Mine = 1 THEN f.TaskId END AS LastTaskId,
       CASE WHEN v.Mine = 1 THEN f.Detail END AS LastDetail,
       CASE WHEN v.Mine = 1 THEN r.DefinedByName END AS DefinedBy
FROM {{.Schema}}.Rounds AS r WITH (NOLOCK)
LEFT JOIN {{.Schema}}.RoundFirings AS f WITH (NOLOCK)
    ON f.FiringId = (SELECT MAX(x.FiringId) FROM {{.Schema}}.RoundFirings AS x WITH (NOLOCK) WHERE x.RoundId = r.RoundId)
OUTER APPLY (SELECT COUNT(*) AS Members, SUM(CASE m.Succeeded WHEN 1 THEN 1 ELSE 0 END) AS Succeeded,
                    SUM(CASE m.Succeeded WHEN 0 THEN 1 ELSE 0 END) AS Failed, MIN(m.ReportedAt) AS FirstReportAt
             FROM {{.Schema}}.RoundMembers AS m WITH (NOLOCK) WHERE m.RoundId = r.RoundId) AS n
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR r.DefinedBySid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
