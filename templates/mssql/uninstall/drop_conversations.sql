-- Ends all conversations of dbsched's services. WITH CLEANUP, used only here: no other side is left to answer.
SET NOCOUNT ON;
SET XACT_ABORT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Handle uniqueidentifier, @Ended int = 0;

DECLARE Conversations CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT e.conversation_handle
    FROM sys.conversation_endpoints AS e
    INNER JOIN sys.services AS s ON s.service_id = e.service_id
    INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
    WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}});

-- Commit every thousand: a commit per conversation would wait for the log each time.
BEGIN TRANSACTION;
OPEN Conversations;
FETCH NEXT FROM Conversations INTO @Handle;
WHILE @@FETCH_STATUS = 0
BEGIN
    IF EXISTS (SELECT 1 FROM sys.conversation_endpoints AS e WHERE e.conversation_handle = @Handle)
        END CONVERSATION @Handle WITH CLEANUP;
    SET @Ended = @Ended + 1;
    IF @Ended % 1000 = 0
    BEGIN
        COMMIT TRANSACTION;
        BEGIN TRANSACTION;
    END;
    FETCH NEXT FROM Conversations INTO @Handle;
END;
CLOSE Conversations;
DEALLOCATE Conversations;
COMMIT TRANSACTION;
