-- Procedure: RunSchedule
-- Purpose: Fires a schedule now, also if it is disabled. Its calendar stays as it is.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
-- Errors:
--   51010: called inside a transaction
--   51071: there is no such schedule
--   51072: the schedule belongs to another user
--   51077: it is still running, and its Overlap allows no other firing
-- Example: EXEC dbsched.RunSchedule N'nightly load';
CREATE OR ALTER PROCEDURE {{.Schema}}.RunSchedule
    @Name nvarchar(4000)
AS
BEGIN
    EXEC {{.Schema}}.OrderSchedule @Name, 'Run';
    RETURN 0;
END;
