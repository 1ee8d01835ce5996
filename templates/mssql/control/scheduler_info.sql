-- View: SchedulerInfo
-- Purpose: One row: whether the scheduler runs, its settings, and its workload.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: Version, Started, Policy, MaxWorkers, MaxLanes, Workers (sessions that occupy a lane), Running, Unfinished, LingerSeconds,
--   IdleSweepSeconds, RetentionDays, MaxRetryDelaySeconds, MaxOrphans, OutageSeconds, MaxTasksPerUser,
--   DefaultTimeoutSeconds (0 = no limit, see SetOptions), TimerArmed, NextSweepAt, ChangedAt,
--   CopyOf (in a copy, the database in which the scheduler was started; otherwise NULL),
--   AlsoOn (servers on which it also goes on, see StartScheduler), AlarmHook, AlarmHookBy (the procedure called for each alarm, and its user),
--   Alarms (not acknowledged),
--   Blocked (why no task can run: Copy, Stopped, BrokerOff, NoWorkers, NoDispatcher; otherwise NULL)
-- Example: SELECT * FROM dbsched.SchedulerInfo;
CREATE OR ALTER VIEW {{.Schema}}.SchedulerInfo
AS
SELECT s.Version,
       s.Started,
       s.Policy,
       s.MaxWorkers,
       s.MaxLanes,
       (SELECT COUNT(*) FROM {{.Schema}}.Lanes AS l WITH (NOLOCK) WHERE l.WorkerId IS NOT NULL) AS Workers,
       (SELECT COUNT(*) FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.WorkerId IS NOT NULL) AS Running,
       (SELECT COUNT(*) FROM {{.Schema}}.Tasks AS t WITH (NOLOCK) WHERE t.FinishedAt IS NULL) AS Unfinished,
       s.LingerSeconds,
       s.IdleSweepSeconds,
       s.RetentionDays,
       s.MaxRetryDelaySeconds,
       s.MaxOrphans,
       s.OutageSeconds,
       s.MaxTasksPerUser,
       s.DefaultTimeoutSeconds,
       CASE WHEN s.TimerHandle IS NULL THEN 0 ELSE 1 END AS TimerArmed,
       s.NextSweepAt,
       s.ChangedAt,
       c.CopyOf,
       s.AlsoOn,
       s.AlarmHook,
       s.AlarmHookByName AS AlarmHookBy,
       (SELECT COUNT(*) FROM {{.Schema}}.Alarms AS a WITH (NOLOCK) WHERE a.AcknowledgedAt IS NULL) AS Alarms,
       CASE WHEN c.CopyOf IS NOT NULL THEN 'Copy'
            WHEN s.Started = 0 THEN 'Stopped'
            WHEN (SELECT d.is_broker_enabled FROM sys.databases AS d WHERE d.database_id = DB_ID()) = 0 THEN 'BrokerOff'
            WHEN s.MaxWorkers = 0 THEN 'NoWorkers'
            WHEN s.NextSweepAt < DATEADD(second, -2 * s.IdleSweepSeconds - 60, SYSUTCDATETIME()) THEN 'NoDispatcher' END AS Blocked
FROM {{.Schema}}.Settings AS s WITH (NOLOCK)
CROSS APPLY (SELECT CASE WHEN s.HomeServer IS NULL
                              OR ({{.ByName}})
                              OR ({{.ByList}})
                              OR s.HomeGroupId = (SELECT d.group_database_id FROM sys.databases AS d WHERE d.database_id = DB_ID()) THEN NULL
                         ELSE s.HomeDatabase + N' on ' + s.HomeServer END AS CopyOf) AS c;
