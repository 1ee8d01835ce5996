-- Procedure: RepairQueues
-- Purpose: Turns dbsched's queues on again if they were turned off, and raises an alarm.
-- Access: private
-- Parameters: none
-- Errors: none of its own
-- Example: EXEC dbsched.RepairQueues;
CREATE OR ALTER PROCEDURE {{.Schema}}.RepairQueues
AS
BEGIN
    DECLARE @Name nvarchar(128) = N'', @Command nvarchar(1000), @Message nvarchar(2000);

    WHILE @Name IS NOT NULL
    BEGIN
        SELECT @Name = MIN(q.name)
        FROM sys.service_queues AS q
        WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name > @Name AND (q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0);

        IF @Name IS NOT NULL
        BEGIN
            SET @Message = N'The queue ' + @Name + N' was disabled, and has been turned on again. If this repeats, find out what disables it.';
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'QueueDisabled', @Message = @Message;

            SET @Command = N'ALTER QUEUE {{.SchemaInString}}.' + QUOTENAME(@Name) + N' WITH STATUS = ON;';
            EXEC (@Command);
        END;
    END;
END;
