-- Procedure: RaiseAlarm
-- Purpose: Records an alarm and calls the alarm hook (see SetAlarmHook). Does nothing if one of the last hundred alarms is the
-- same and less than ten minutes old. Joins an open transaction, if there is one.
-- Access: private
-- Parameters:
--   @Kind varchar(20) (required): kind of alarm, see Alarms.Kind
--   @Message nvarchar(2000) (required): what happened
--   @ProcessId int = NULL: process of the alarm
--   @TaskId bigint = NULL: task of the alarm
--   @LaneId int = NULL: lane of the alarm
CREATE OR ALTER PROCEDURE {{.Schema}}.RaiseAlarm
    @Kind varchar(20),
    @Message nvarchar(2000),
    @ProcessId int = NULL,
    @TaskId bigint = NULL,
    @LaneId int = NULL
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @AlarmId bigint;

    -- Errors that repeat every few seconds, such as that of each lane, must not bury other alarms.
    IF EXISTS (SELECT 1
               FROM (SELECT TOP (100) a.Kind, a.AlarmText, a.RaisedAt
                     FROM {{.Schema}}.Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
                     ORDER BY a.AlarmId DESC) AS r
               WHERE r.Kind = @Kind AND r.AlarmText = @Message AND r.RaisedAt > DATEADD(minute, -10, SYSUTCDATETIME()))
        RETURN;

    INSERT INTO {{.Schema}}.Alarms WITH (ROWLOCK) (Kind, AlarmText, ProcessId, TaskId, LaneId)
    VALUES (@Kind, @Message, @ProcessId, @TaskId, @LaneId);

    SET @AlarmId = SCOPE_IDENTITY();
    -- In a copy the hook does not run; its calls would pile up until StartScheduler.
    IF @Kind <> 'Copy'
        EXEC {{.Schema}}.CallAlarmHook @AlarmId, @ProcessId;
END;
