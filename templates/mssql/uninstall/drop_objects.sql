-- Drops dbsched's queues, procedures, functions, views, tables and types.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Objects CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP ' + CASE o.type WHEN 'SQ' THEN N'QUEUE ' WHEN 'P' THEN N'PROCEDURE ' WHEN 'V' THEN N'VIEW ' WHEN 'IF' THEN N'FUNCTION ' WHEN 'FN' THEN N'FUNCTION ' ELSE N'TABLE ' END
         + QUOTENAME({{.SchemaLit}}) + N'.' + QUOTENAME(o.name) + N';'
    FROM sys.objects AS o
    WHERE o.schema_id = SCHEMA_ID({{.SchemaLit}}) AND o.parent_object_id = 0 AND o.type IN ('SQ', 'P', 'IF', 'FN', 'V', 'U')
    ORDER BY CASE o.type WHEN 'SQ' THEN 1 WHEN 'P' THEN 2 WHEN 'IF' THEN 3 WHEN 'FN' THEN 3 WHEN 'V' THEN 4 ELSE 5 END, o.name;

OPEN Objects;
FETCH NEXT FROM Objects INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Objects INTO @Command;
END;
CLOSE Objects;
DEALLOCATE Objects;

-- After the procedures that use the types as parameters.
DECLARE Types CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP TYPE ' + QUOTENAME({{.SchemaLit}}) + N'.' + QUOTENAME(t.name) + N';'
    FROM sys.types AS t
    WHERE t.schema_id = SCHEMA_ID({{.SchemaLit}})
    ORDER BY t.name;

OPEN Types;
FETCH NEXT FROM Types INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Types INTO @Command;
END;
CLOSE Types;
DEALLOCATE Types;
