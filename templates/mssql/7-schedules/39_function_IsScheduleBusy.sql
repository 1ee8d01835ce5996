-- Function: IsScheduleBusy
-- Purpose: Tells whether a process of a schedule runs, or the task that makes one. A process, and the end of that task, are one
-- transaction, of which NOLOCK may see either: so the task comes first.
-- Access: private
-- Parameters:
--   @ScheduleId int (required): the schedule
-- Columns: 1 or 0
-- Errors: none raised
-- Example: SELECT dbsched.IsScheduleBusy(3);
CREATE OR ALTER FUNCTION {{.Schema}}.IsScheduleBusy
(
    @ScheduleId int
)
RETURNS int
AS
BEGIN
    IF EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
               WHERE t.ProcessId = 0 AND t.DedupKey LIKE CONVERT(nvarchar(10), @ScheduleId) + N'@%' AND t.DedupKey IS NOT NULL AND t.FinishedAt IS NULL)
        RETURN 1;

    RETURN CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK, FORCESEEK)
                             WHERE p.ScheduleId = @ScheduleId AND p.ScheduleId IS NOT NULL AND p.FinishedAt IS NULL) THEN 1 ELSE 0 END;
END;
