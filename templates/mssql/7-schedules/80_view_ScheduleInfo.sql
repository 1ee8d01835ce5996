-- View: ScheduleInfo
-- Purpose: Schedules, their next instant, and what became of the last firing. Users see their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: ScheduleId, Name, Calendar, Zone, Status, Reason, NextAt, NextLocal (NextAt in Zone; NULL: the server does not know it),
--   BeginAt, EndAt, LastDueAt, LastProcessId, LastStatus (of the last process; Starting = it is being made), LastFinishedAt, Running,
--   Waiting, Fired, Skipped, Missed (in RetentionDays), Overlap, MissedPolicy, Tasks, OnError, Weight, MaxParallel, OwnedBy
-- Example: SELECT Name, NextLocal, LastStatus FROM dbsched.ScheduleInfo ORDER BY NextAt;
CREATE OR ALTER VIEW {{.Schema}}.ScheduleInfo
AS
SELECT s.ScheduleId,
       s.Name,
       s.Calendar,
       s.Zone,
       s.Status,
       s.Reason,
       s.NextAt,
       CASE WHEN EXISTS (SELECT 1 FROM sys.time_zone_info AS z WHERE z.name = s.Zone COLLATE SQL_Latin1_General_CP1_CI_AS)
            THEN CONVERT(datetime2(0), s.NextAt AT TIME ZONE N'UTC' AT TIME ZONE s.Zone) END AS NextLocal,
       s.BeginAt,
       s.EndAt,
       f.DueAt AS LastDueAt,
       p.ProcessId AS LastProcessId,
       CASE WHEN p.ProcessId IS NULL AND t.FinishedAt IS NULL AND f.FiringId IS NOT NULL THEN 'Starting' ELSE ISNULL(p.Status, t.Status) END AS LastStatus,
       p.FinishedAt AS LastFinishedAt,
       (SELECT COUNT(*) FROM {{.Schema}}.Processes AS r WITH (NOLOCK) WHERE r.ScheduleId = s.ScheduleId AND r.ScheduleId IS NOT NULL AND r.FinishedAt IS NULL) AS Running,
       s.Waiting,
       (SELECT COUNT(*) FROM {{.Schema}}.ScheduleFirings AS x WITH (NOLOCK) WHERE x.ScheduleId = s.ScheduleId AND x.Status = 'Started') AS Fired,
       (SELECT COUNT(*) FROM {{.Schema}}.ScheduleFirings AS x WITH (NOLOCK) WHERE x.ScheduleId = s.ScheduleId AND x.Status = 'Skipped') AS Skipped,
       (SELECT COUNT(*) FROM {{.Schema}}.ScheduleFirings AS x WITH (NOLOCK) WHERE x.ScheduleId = s.ScheduleId AND x.Status = 'Missed') AS Missed,
       s.Overlap,
       s.Missed AS MissedPolicy,
       s.Tasks,
       s.OnError,
       s.Weight,
       s.MaxParallel,
       s.OwnerName AS OwnedBy
FROM {{.Schema}}.Schedules AS s WITH (NOLOCK)
LEFT JOIN {{.Schema}}.ScheduleFirings AS f WITH (NOLOCK) ON f.FiringId = s.LastFiringId
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = f.TaskId
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.FiringId = s.LastFiringId AND p.FiringId IS NOT NULL
WHERE s.OwnerSid = {{.UserSid}}
   OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
   OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
   OR IS_ROLEMEMBER(N'db_owner') = 1;
