-- Procedure: FireSchedules
-- Purpose: Moves on the schedules that are due, in slices.
-- Access: private
-- Parameters: none
-- Errors: none of its own
-- Example: EXEC dbsched.FireSchedules;
CREATE OR ALTER PROCEDURE {{.Schema}}.FireSchedules
AS
BEGIN
    DECLARE @ScheduleId int = 0, @Round int = 0, @Now datetime2(3) = SYSUTCDATETIME();

    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1 AND {{.ByName}})
        RETURN;

    WHILE @ScheduleId IS NOT NULL AND @Round < 100
    BEGIN
        SELECT @ScheduleId = NULL, @Round = @Round + 1;

        SELECT TOP (1) @ScheduleId = s.ScheduleId
        FROM {{.Schema}}.Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE s.LookAt IS NOT NULL AND s.LookAt <= @Now
        ORDER BY s.LookAt
        OPTION (MAXDOP 1);

        IF @ScheduleId IS NOT NULL
            EXEC {{.Schema}}.FireSchedule @ScheduleId, @Now;
    END;

    -- More are due: other work is looked at first.
    IF @ScheduleId IS NOT NULL
        EXEC {{.Schema}}.SendWake;
END;
