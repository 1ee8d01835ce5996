-- Procedure: OrderSchedule
-- Purpose: Enables, disables, runs or drops a schedule.
-- Access: private; runs as the owner
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
--   @Order varchar(7) (required): Enable, Disable, Run or Drop
-- Errors:
--   51010: called inside a transaction
--   51071: there is no such schedule
--   51072: the schedule belongs to another user
CREATE OR ALTER PROCEDURE {{.Schema}}.OrderSchedule
    @Name nvarchar(4000),
    @Order varchar(7)
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "A procedure for schedules" ""}}

{{.SetOptions}}
{{.CallerAlone}}    DECLARE @ScheduleId int, @Mine bit, @OwnerSid varbinary(85), @Now datetime2(3) = SYSUTCDATETIME();
    BEGIN TRY
        BEGIN TRANSACTION;
        SELECT @ScheduleId = s.ScheduleId, @Name = s.Name, @Mine = CASE WHEN s.OwnerSid = @UserSid THEN 1 ELSE @IsAdmin END, @OwnerSid = s.OwnerSid
        FROM {{.Schema}}.Schedules AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.Name = @Name;
        IF @ScheduleId IS NULL
            THROW 51071, N'dbsched 51071: there is no such schedule. See ScheduleInfo.', 1;
        IF @Mine = 0
            THROW 51072, N'dbsched 51072: the schedule belongs to another user. Ask an administrator.', 1;
        IF @Order = 'Run'
        BEGIN
            INSERT INTO {{.Schema}}.ScheduleFirings WITH (ROWLOCK) (ScheduleId, Name, DueAt, Manual, Status, OwnerSid)
            VALUES (@ScheduleId, @Name, @Now, 1, 'Waiting', @OwnerSid);

            UPDATE s
            SET s.Waiting = s.Waiting + 1, s.LookAt = @Now
            FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId;
        END
        ELSE IF @Order = 'Enable'
            UPDATE s
            SET s.Status = 'Enabled', s.Reason = NULL, s.LookAt = @Now
            FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId AND s.Status <> 'Enabled';
        ELSE
        BEGIN
            UPDATE f
            SET f.Status = 'Skipped', f.Detail = CASE @Order WHEN 'Drop' THEN N'the schedule was dropped' ELSE N'the schedule was disabled' END
            FROM {{.Schema}}.ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
            WHERE f.ScheduleId = @ScheduleId AND f.Status = 'Waiting'
            OPTION (MAXDOP 1);
            IF @Order = 'Drop'
                DELETE s
                FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.ScheduleId = @ScheduleId;
            ELSE
                UPDATE s
                SET s.Status = CASE s.Status WHEN 'Enabled' THEN 'Disabled' ELSE s.Status END, s.LookAt = NULL, s.Waiting = 0
                FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.ScheduleId = @ScheduleId;
        END;

        -- The dispatcher sets its timer.
        EXEC {{.Schema}}.WakeOnce;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}
    RETURN 0;
END;
