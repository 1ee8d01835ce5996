-- Procedure: SetScheduleEnabled
-- Purpose: Enables or disables a schedule. While it is disabled it does not fire; what it misses then is made up for as its Missed says.
-- A firing that waits is skipped. Enabling also ends the state Suspended.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
--   @Enabled bit (required): 1 = enable, 0 = disable
-- Errors:
--   51003: @Enabled is NULL
--   51010, 51071, 51072: see AlterSchedule
-- Example: EXEC dbsched.SetScheduleEnabled N'nightly load', 0;
CREATE OR ALTER PROCEDURE {{.Schema}}.SetScheduleEnabled
    @Name nvarchar(4000),
    @Enabled bit
AS
BEGIN
    DECLARE @Order varchar(7) = CASE @Enabled WHEN 1 THEN 'Enable' WHEN 0 THEN 'Disable' END;
    IF @Order IS NULL
        THROW 51003, N'dbsched 51003: @Enabled must be 0 or 1.', 1;
    EXEC {{.Schema}}.OrderSchedule @Name, @Order;
    RETURN 0;
END;
