-- View: RoundInfo
-- Purpose: Rounds, the reports for the current generation, and the result of the last generation. Users see their own;
-- readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: RoundId, Name, Generation, Members, Succeeded, Failed, FirstReportAt, SuccessorJob, SuccessorSql, SuccessorOrder,
--   SuccessorProcessId, MaxAgeSeconds, StartSeconds, LastGeneration, LastStatus, LastFiredAt, LastFiredBy, LastTaskId, LastDetail, DefinedBy
-- Example: SELECT * FROM dbsched.RoundInfo WHERE Succeeded < Members AND FirstReportAt < DATEADD(hour, -1, SYSUTCDATETIME());
CREATE OR ALTER VIEW {{.Schema}}.RoundInfo
AS
SELECT r.RoundId,
       r.Name,
       r.Generation,
       (SELECT COUNT(*) FROM {{.Schema}}.RoundMembers AS m WITH (NOLOCK) WHERE m.RoundId = r.RoundId) AS Members,
       (SELECT COUNT(*) FROM {{.Schema}}.RoundMembers AS m WITH (NOLOCK) WHERE m.RoundId = r.RoundId AND m.Succeeded = 1) AS Succeeded,
       (SELECT COUNT(*) FROM {{.Schema}}.RoundMembers AS m WITH (NOLOCK) WHERE m.RoundId = r.RoundId AND m.Succeeded = 0) AS Failed,
       (SELECT MIN(m.ReportedAt) FROM {{.Schema}}.RoundMembers AS m WITH (NOLOCK) WHERE m.RoundId = r.RoundId) AS FirstReportAt,
       r.SuccessorJob,
       r.SuccessorSql,
       r.SuccessorOrder,
       r.SuccessorProcessId,
       r.MaxAgeSeconds,
       r.StartSeconds,
       f.Generation AS LastGeneration,
       f.Status AS LastStatus,
       f.FiredAt AS LastFiredAt,
       f.FiredBy AS LastFiredBy,
       f.TaskId AS LastTaskId,
       f.Detail AS LastDetail,
       r.DefinedByName AS DefinedBy
FROM {{.Schema}}.Rounds AS r WITH (NOLOCK)
LEFT JOIN {{.Schema}}.RoundFirings AS f WITH (NOLOCK)
    ON f.FiringId = (SELECT MAX(x.FiringId) FROM {{.Schema}}.RoundFirings AS x WITH (NOLOCK) WHERE x.RoundId = r.RoundId)
WHERE r.DefinedBySid = {{.UserSid}}
   OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
   OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
   OR IS_ROLEMEMBER(N'db_owner') = 1;
