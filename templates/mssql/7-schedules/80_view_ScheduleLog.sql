-- View: ScheduleLog
-- Purpose: The history of schedules: one row per firing, also of those that were skipped or missed. Users see their own; readers and
-- administrators see all.
-- Access: public: dbsched_user, dbsched_reader, dbsched_admin
-- Columns: FiringId, ScheduleId, Name, DueAt, Manual, Status (Waiting, Skipped, Missed; Starting; then that of the process, or Failed if it
--   could not be made), Detail, LoggedAt, TaskId, ProcessId, FinishedAt
-- Example: SELECT * FROM dbsched.ScheduleLog WHERE Name = N'nightly load' ORDER BY FiringId DESC;
CREATE OR ALTER VIEW {{.Schema}}.ScheduleLog
AS
SELECT f.FiringId,
       f.ScheduleId,
       f.Name,
       f.DueAt,
       f.Manual,
       CASE WHEN f.Status <> 'Started' THEN f.Status WHEN p.ProcessId IS NULL AND t.FinishedAt IS NULL THEN 'Starting' ELSE ISNULL(p.Status, REPLACE(t.Status, 'Succeeded', 'Skipped')) END AS Status,
       f.Detail,
       f.LoggedAt,
       f.TaskId,
       p.ProcessId,
       p.FinishedAt
FROM {{.Schema}}.ScheduleFirings AS f WITH (NOLOCK)
LEFT JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = f.TaskId
LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK) ON p.FiringId = f.FiringId AND p.FiringId IS NOT NULL
WHERE f.OwnerSid = {{.UserSid}}
   OR IS_ROLEMEMBER({{.ReaderRoleLit}}) = 1
   OR IS_ROLEMEMBER({{.AdminRoleLit}}) = 1
   OR IS_ROLEMEMBER(N'db_owner') = 1;
