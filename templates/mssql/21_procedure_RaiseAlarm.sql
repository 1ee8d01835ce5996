-- Procedure: RaiseAlarm
-- Purpose: Records what a person should look at. Joins the transaction that is open, if any.
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

    INSERT INTO {{.Schema}}.Alarms WITH (ROWLOCK) (Kind, AlarmText, ProcessId, TaskId, LaneId)
    VALUES (@Kind, @Message, @ProcessId, @TaskId, @LaneId);
END;
