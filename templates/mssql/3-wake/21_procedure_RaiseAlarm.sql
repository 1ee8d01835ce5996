-- Procedure: RaiseAlarm
-- Purpose: Records what a person should look at, unless the last alarm says the same and is younger than ten minutes, and has
-- the administrator's hook called (see SetAlarmHook). Joins the transaction that is open, if any.
-- Access: private
-- Parameters:
--   @Kind varchar(20) (required): kind of alarm, see Alarms.Kind
--   @Message nvarchar(2000) (required): what happened
--   @ProcessId int = NULL: process it is about
--   @TaskId bigint = NULL: task it is about
--   @LaneId int = NULL: lane it is about
-- Errors: none of its own
-- Example: EXEC dbsched.RaiseAlarm @Kind = 'WorkerError', @Message = N'...', @LaneId = 1;
CREATE OR ALTER PROCEDURE {{.Schema}}.RaiseAlarm
    @Kind varchar(20),
    @Message nvarchar(2000),
    @ProcessId int = NULL,
    @TaskId bigint = NULL,
    @LaneId int = NULL
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @LastKind varchar(20), @LastText nvarchar(2000), @LastAt datetime2(3), @AlarmId bigint;

    -- What fails every few seconds must not bury the rest.
    SELECT TOP (1) @LastKind = a.Kind, @LastText = a.AlarmText, @LastAt = a.RaisedAt
    FROM {{.Schema}}.Alarms AS a WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
    ORDER BY a.AlarmId DESC;

    IF @LastKind = @Kind AND @LastText = @Message AND @LastAt > DATEADD(minute, -10, SYSUTCDATETIME())
        RETURN;

    INSERT INTO {{.Schema}}.Alarms WITH (ROWLOCK) (Kind, AlarmText, ProcessId, TaskId, LaneId)
    VALUES (@Kind, @Message, @ProcessId, @TaskId, @LaneId);

    SET @AlarmId = SCOPE_IDENTITY();
    -- In a copy no hook runs, but each call would wait there for StartScheduler.
    IF @Kind <> 'Copy'
        EXEC {{.Schema}}.CallAlarmHook @AlarmId, @ProcessId;
END;
