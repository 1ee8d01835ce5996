-- Procedure: RunSchedule
-- Purpose: Fires a schedule now, also if it is disabled. Unless its Overlap is Allow, this waits until its last process has ended.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
-- Errors:
--   51010, 51071, 51072: see AlterSchedule
-- Example: EXEC dbsched.RunSchedule N'nightly load';
CREATE OR ALTER PROCEDURE {{.Schema}}.RunSchedule
    @Name nvarchar(4000)
AS
BEGIN
    EXEC {{.Schema}}.OrderSchedule @Name, 'Run';
    RETURN 0;
END;
