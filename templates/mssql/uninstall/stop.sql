-- Stops the scheduler and turns activation off on all dbsched queues.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

BEGIN TRY
    IF OBJECT_ID({{str .StopProcedure}}, N'P') IS NOT NULL
        EXEC {{.Schema}}.StopScheduler;
END TRY
BEGIN CATCH
    -- The installation may be incomplete; the rest of this script stops it anyway.
    IF XACT_STATE() <> 0
        ROLLBACK TRANSACTION;
END CATCH;

DECLARE Queues CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'ALTER QUEUE ' + QUOTENAME({{.SchemaLit}}) + N'.' + QUOTENAME(q.name) + N' WITH ACTIVATION (STATUS = OFF);'
    FROM sys.service_queues AS q
    WHERE q.schema_id = SCHEMA_ID({{.SchemaLit}}) AND q.is_activation_enabled = 1;

OPEN Queues;
FETCH NEXT FROM Queues INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Queues INTO @Command;
END;
CLOSE Queues;
DEALLOCATE Queues;
