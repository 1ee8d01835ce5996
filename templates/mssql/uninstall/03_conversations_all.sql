-- Ends every conversation of our services. WITH CLEANUP, here only: nobody is left to answer.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Handle uniqueidentifier;

DECLARE Conversations CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT e.conversation_handle
    FROM sys.conversation_endpoints AS e
    INNER JOIN sys.services AS s ON s.service_id = e.service_id
    INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
    WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}});

OPEN Conversations;
FETCH NEXT FROM Conversations INTO @Handle;
WHILE @@FETCH_STATUS = 0
BEGIN
    IF EXISTS (SELECT 1 FROM sys.conversation_endpoints AS e WHERE e.conversation_handle = @Handle)
        END CONVERSATION @Handle WITH CLEANUP;
    FETCH NEXT FROM Conversations INTO @Handle;
END;
CLOSE Conversations;
DEALLOCATE Conversations;
