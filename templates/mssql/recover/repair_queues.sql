-- Procedure: RepairQueues
-- Purpose: Turns dbsched's queues on again if they were turned off or start no reader, and raises an alarm.
-- Access: private
-- Parameters:
--   @Silent nvarchar(128) = NULL: a queue whose last reader ended before RECEIVE, so it starts no other; NULL = look at the dispatcher's
CREATE OR ALTER PROCEDURE {{.Schema}}.RepairQueues
    @Silent nvarchar(128) = NULL
AS
BEGIN
    DECLARE @Name nvarchar(128) = N'', @Command nvarchar(1000), @Message nvarchar(2000);

    WHILE @Name IS NOT NULL
    BEGIN
        SELECT @Name = MIN(q.name)
        FROM sys.service_queues AS q
        WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name > @Name
          AND (q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0 OR q.name = @Silent
               OR (q.name = N'Dispatch' AND @Silent IS NULL AND EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                   WHERE s.Started = 1 AND {{.ByName}} AND s.NextSweepAt < DATEADD(second, -2 * s.IdleSweepSeconds - 60, SYSUTCDATETIME()))));

        IF @Name IS NOT NULL
        BEGIN
            SET @Message = N'The queue ' + @Name + N' was disabled or started no reader, and has been turned on again. If this repeats, find out what disables it or kills its sessions.';
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'QueueDisabled', @Message = @Message;

            SET @Command = REPLACE(N'ALTER QUEUE # WITH STATUS = ON, ACTIVATION (STATUS = OFF); ALTER QUEUE # WITH ACTIVATION (STATUS = ON);', N'#', N'{{.SchemaInString}}.' + QUOTENAME(@Name));
            EXEC (@Command);
        END;
    END;
END;
