-- Procedure: AlarmOfError
-- Purpose: Raises an alarm about the error that the caller has caught, after it has rolled back. An error of the alarm itself is lost: the caller
-- goes on.
-- Access: private; called in a CATCH block
-- Parameters:
--   @Kind varchar(20) (required): kind of alarm, see Alarms.Kind
--   @What nvarchar(200) (required): what failed; the error follows it
--   @ProcessId int = NULL: process of the alarm
--   @TaskId bigint = NULL: task of the alarm
--   @LaneId int = NULL: lane of the alarm
CREATE OR ALTER PROCEDURE {{.Schema}}.AlarmOfError
    @Kind varchar(20),
    @What nvarchar(200),
    @ProcessId int = NULL,
    @TaskId bigint = NULL,
    @LaneId int = NULL
AS
BEGIN
    -- The functions also work in a procedure that a CATCH block calls (TRY...CATCH, "Retrieve error information").
    DECLARE @Message nvarchar(2000) = @What + CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + ISNULL(ERROR_PROCEDURE(), N'') + N': '
                                    + LEFT(ERROR_MESSAGE(), 1500);

    BEGIN TRY
        EXEC {{.Schema}}.RaiseAlarm @Kind, @Message, @ProcessId, @TaskId, @LaneId;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
    END CATCH;
END;
