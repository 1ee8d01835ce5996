-- Procedure: NextFiring
-- Purpose: Has the dispatcher start a schedule's waiting firing, because a process of the schedule has ended or a firing made none. Joins the
-- caller's transaction.
-- Access: private
-- Parameters:
--   @ScheduleId int (required): the schedule
CREATE OR ALTER PROCEDURE {{.Schema}}.NextFiring
    @ScheduleId int
AS
BEGIN
{{.SetOptionsJoin}}
    UPDATE s
    SET s.LookAt = SYSUTCDATETIME()
    FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.ScheduleId = @ScheduleId AND s.Waiting > 0;
    IF @@ROWCOUNT = 1
        EXEC {{.Schema}}.WakeOnce;
END;
