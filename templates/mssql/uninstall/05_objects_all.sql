-- Drops our queues, procedures, views and tables.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Objects CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP ' + CASE o.type WHEN 'SQ' THEN N'QUEUE ' WHEN 'P' THEN N'PROCEDURE ' WHEN 'V' THEN N'VIEW ' ELSE N'TABLE ' END
         + QUOTENAME({{.SchemaLit}}) + N'.' + QUOTENAME(o.name) + N';'
    FROM sys.objects AS o
    WHERE o.schema_id = SCHEMA_ID({{.SchemaLit}}) AND o.parent_object_id = 0 AND o.type IN ('SQ', 'P', 'V', 'U')
    ORDER BY CASE o.type WHEN 'SQ' THEN 1 WHEN 'P' THEN 2 WHEN 'V' THEN 3 ELSE 4 END, o.name;

OPEN Objects;
FETCH NEXT FROM Objects INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Objects INTO @Command;
END;
CLOSE Objects;
DEALLOCATE Objects;
