-- Drops dbsched's services, then their contract and message type.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Services CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP SERVICE ' + QUOTENAME(s.name) + N';'
    FROM sys.services AS s
    INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
    WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}});

OPEN Services;
FETCH NEXT FROM Services INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Services INTO @Command;
END;
CLOSE Services;
DEALLOCATE Services;

IF EXISTS (SELECT 1 FROM sys.service_contracts AS c WHERE c.name = {{.ContractLit}})
    DROP CONTRACT {{.Contract}};

IF EXISTS (SELECT 1 FROM sys.service_message_types AS m WHERE m.name = {{.WakeTypeLit}})
    DROP MESSAGE TYPE {{.WakeType}};
