-- Procedure: DropSchedule
-- Purpose: Removes a schedule. Its processes run to their end, and its history stays for RetentionDays.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
-- Errors:
--   51010, 51071, 51072: see AlterSchedule
-- Example: EXEC dbsched.DropSchedule N'old load';
CREATE OR ALTER PROCEDURE {{.Schema}}.DropSchedule
    @Name nvarchar(4000)
AS
BEGIN
    EXEC {{.Schema}}.OrderSchedule @Name, 'Drop';
    RETURN 0;
END;
