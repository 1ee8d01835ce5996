-- From here on, Service Broker runs the dispatcher and workers when messages arrive. One reader per queue: a lane is one worker.
SET NOCOUNT ON;
DECLARE @Name nvarchar(128) = N'', @Command nvarchar(1000);

WHILE @Name IS NOT NULL
BEGIN
    SELECT @Name = MIN(q.name)
    FROM sys.service_queues AS q
    WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.name > @Name
      AND (q.is_activation_enabled = 0 OR q.is_receive_enabled = 0 OR q.is_enqueue_enabled = 0 OR q.is_poison_message_handling_enabled = 1
           OR q.max_readers <> 1 OR ISNULL(q.execute_as_principal_id, 0) <> -2 OR q.activation_procedure NOT LIKE N'%' + REPLACE(q.name, N'_', N'[_]') + N'[_]Activated]');

    -- Each queue activates the procedure with its name.
    SET @Command = ISNULL(N'ALTER QUEUE {{.SchemaInString}}.' + QUOTENAME(@Name) + N' WITH STATUS = ON, ACTIVATION (STATUS = ON, PROCEDURE_NAME = {{.SchemaInString}}.'
                 + QUOTENAME(@Name + N'_Activated') + N', MAX_QUEUE_READERS = 1, EXECUTE AS OWNER), POISON_MESSAGE_HANDLING (STATUS = OFF);', N'');
    EXEC (@Command);
END;
