-- View: ScheduleInfo
-- Purpose: Schedules, their next instant, and what became of the last firing. Users see their own; readers and administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: ScheduleId, Name, Calendar, Zone, Status, Reason, NextAt, NextLocal (NextAt in Zone; NULL: the server does not know it),
--   BeginAt, EndAt, LastDueAt, LastProcessId, LastStatus (of the last process; Starting = it is being made), LastFinishedAt, Running,
--   Waiting, Fired, Skipped, Missed (in RetentionDays), Overlap, MissedPolicy, Tasks, OnError, Weight, MaxParallel, OwnedBy
-- Example: SELECT Name, NextLocal, LastStatus FROM dbsched.ScheduleInfo ORDER BY NextAt;
CREATE OR ALTER VIEW {{.Schema}}.ScheduleInfo
AS
-- NULL in hidden rows, see Viewer.
SELECT CASE WHEN v.Mine = 1 THEN s.ScheduleId END AS ScheduleId,
       CASE WHEN v.Mine = 1 THEN s.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN s.Calendar END AS Calendar,
       CASE WHEN v.Mine = 1 THEN s.Zone END AS Zone,
       CASE WHEN v.Mine = 1 THEN s.Status END AS Status,
       CASE WHEN v.Mine = 1 THEN s.Reason END AS Reason,
       CASE WHEN v.Mine = 1 THEN s.NextAt END AS NextAt,
       CASE WHEN v.Mine = 1 AND EXISTS (SELECT 1 FROM sys.time_zone_info AS z WHERE z.name = s.Zone COLLATE SQL_Latin1_General_CP1_CI_AS)
            THEN CONVERT(datetime2(0), s.NextAt AT TIME ZONE N'UTC' AT TIME ZONE s.Zone) END AS NextLocal,
       CASE WHEN v.Mine = 1 THEN s.BeginAt END AS BeginAt,
       CASE WHEN v.Mine = 1 THEN s.EndAt END AS EndAt,
       CASE WHEN v.Mine = 1 THEN f.DueAt END AS LastDueAt,
       CASE WHEN v.Mine = 1 THEN p.ProcessId END AS LastProcessId,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN p.ProcessId IS NULL AND t.FinishedAt IS NULL AND f.FiringId IS NOT NULL THEN 'Starting'
            ELSE ISNULL(p.Status, t.Status) END AS LastStatus,
       CASE WHEN v.Mine = 1 THEN p.FinishedAt END AS LastFinishedAt,
       CASE WHEN v.Mine = 1 THEN (SELECT COUNT(*) FROM {{.Schema}}.Processes AS r WITH (NOLOCK)
                                  WHERE r.ScheduleId = s.ScheduleId AND r.ScheduleId IS NOT NULL AND r.FinishedAt IS NULL) END AS Running,
       CASE WHEN v.Mine = 1 THEN s.Waiting END AS Waiting,
       CASE WHEN v.Mine = 1 THEN ISNULL(n.Fired, 0) END AS Fired,
       CASE WHEN v.Mine = 1 THEN ISNULL(n.Skipped, 0) END AS Skipped,
       CASE WHEN v.Mine = 1 THEN ISNULL(n.Missed, 0) END AS Missed,
       CASE WHEN v.Mine = 1 THEN s.Overlap END AS Overlap,
       CASE WHEN v.Mine = 1 THEN s.Missed END AS MissedPolicy,
       CASE WHEN v.Mine = 1 THEN s.Tasks END AS Tasks,
       CASE WHEN v.Mine = 1 THEN s.OnError END AS OnError,
       CASE WHEN v.Mine = 1 THEN s.Weight END AS Weight,
       CASE WHEN v.Mine = 1 THEN s.MaxParallel END AS MaxParallel,
       CASE WHEN v.Mine = 1 THEN s.OwnerName END AS OwnedBy
FROM {{.Schema}}.Schedules AS s WITH (NOLOCK)
LEFT JOIN {{.Schema}}.ScheduleFirings AS f WITH (NOLOCK) ON f.FiringId = s.LastFiringId
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = f.TaskId
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.FiringId = s.LastFiringId AND p.FiringId IS NOT NULL
OUTER APPLY (SELECT SUM(CASE x.Status WHEN 'Started' THEN 1 ELSE 0 END) AS Fired, SUM(CASE x.Status WHEN 'Skipped' THEN 1 ELSE 0 END) AS Skipped,
                    SUM(CASE x.Status WHEN 'Missed' THEN 1 ELSE 0 END) AS Missed
             FROM {{.Schema}}.ScheduleFirings AS x WITH (NOLOCK) WHERE x.ScheduleId = s.ScheduleId) AS n
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR s.OwnerSid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
