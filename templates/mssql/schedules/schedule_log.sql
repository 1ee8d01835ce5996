-- View: ScheduleLog
-- Purpose: The history of schedules: one row per firing, also of those that were skipped or missed. Users see their own; readers and
-- administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: FiringId, ScheduleId, Name, DueAt, Manual, Status (Waiting, Skipped, Missed; Starting; then that of the process, or Failed if it
--   could not be made), Detail, LoggedAt, TaskId, ProcessId, FinishedAt
-- Example: SELECT * FROM dbsched.ScheduleLog WHERE Name = N'nightly load' ORDER BY FiringId DESC;
CREATE OR ALTER VIEW {{.Schema}}.ScheduleLog
AS
-- NULL in hidden rows, see Viewer, except FiringId, which has an index.
SELECT f.FiringId,
       CASE WHEN v.Mine = 1 THEN f.ScheduleId END AS ScheduleId,
       CASE WHEN v.Mine = 1 THEN f.Name END AS Name,
       CASE WHEN v.Mine = 1 THEN f.DueAt END AS DueAt,
       CASE WHEN v.Mine = 1 THEN f.Manual END AS Manual,
       CASE WHEN v.Mine IS NULL THEN NULL WHEN f.Status <> 'Started' THEN f.Status WHEN p.ProcessId IS NULL AND t.FinishedAt IS NULL THEN 'Starting'
            ELSE ISNULL(p.Status, REPLACE(t.Status, 'Succeeded', 'Skipped')) END AS Status,
       CASE WHEN v.Mine = 1 THEN f.Detail END AS Detail,
       CASE WHEN v.Mine = 1 THEN f.LoggedAt END AS LoggedAt,
       CASE WHEN v.Mine = 1 THEN f.TaskId END AS TaskId,
       CASE WHEN v.Mine = 1 THEN p.ProcessId END AS ProcessId,
       CASE WHEN v.Mine = 1 THEN p.FinishedAt END AS FinishedAt
FROM {{.Schema}}.ScheduleFirings AS f WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = f.TaskId
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.FiringId = f.FiringId AND p.FiringId IS NOT NULL
CROSS JOIN {{.Schema}}.Viewer AS me
CROSS APPLY (SELECT CASE WHEN me.SeesAll = 1 OR f.OwnerSid = me.UserSid THEN 1 END AS Mine) AS v
WHERE v.Mine = 1;
