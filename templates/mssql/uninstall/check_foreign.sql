-- Before anything is dropped: refuses if the schema or its owner has objects that are not part of dbsched.
SET NOCOUNT ON;
DECLARE @Foreign nvarchar(300), @Message nvarchar(2000);

SELECT TOP (1) @Foreign = o.name
FROM sys.objects AS o
WHERE o.schema_id = SCHEMA_ID({{.SchemaLit}})
  AND o.parent_object_id = 0
  AND o.type <> 'TT' -- the object of a table type, see below
  AND o.name NOT IN ({{range $i, $name := .ObjectNames}}{{if $i}}, {{end}}{{str $name}}{{end}})
  AND NOT (o.name LIKE N'Lane[_][0-9][0-9]' AND o.type = 'SQ')
  AND NOT (o.name LIKE N'Lane[_][0-9][0-9][_]Activated' AND o.type = 'P')
  AND NOT (o.name LIKE N'RunAs[_][0-9]%' AND o.type = 'P') -- from the trust script
ORDER BY o.name;

IF @Foreign IS NULL
    SELECT TOP (1) @Foreign = t.name FROM sys.types AS t
    WHERE t.schema_id = SCHEMA_ID({{.SchemaLit}}) AND t.name NOT IN ({{range $i, $name := .TypeNames}}{{if $i}}, {{end}}{{str $name}}{{end}}) ORDER BY t.name;

IF @Foreign IS NULL
    SELECT TOP (1) @Foreign = s.name FROM sys.schemas AS s
    WHERE s.principal_id = DATABASE_PRINCIPAL_ID({{.OwnerLit}}) AND s.name <> {{.SchemaLit}} ORDER BY s.name;

IF @Foreign IS NULL
    SELECT TOP (1) @Foreign = o.name FROM sys.objects AS o
    WHERE o.principal_id = DATABASE_PRINCIPAL_ID({{.OwnerLit}}) AND o.schema_id <> SCHEMA_ID({{.SchemaLit}}) AND o.type <> 'TT' ORDER BY o.name;

IF @Foreign IS NOT NULL
BEGIN
    SET @Message = N'dbsched 51095: ' + {{thrown "QUOTENAME(@Foreign)"}}
        + N' is in dbsched''s schema, or belongs to its owner, but is not part of dbsched. Nothing was dropped.'
        + N' Move it (ALTER SCHEMA dbo TRANSFER ...), then uninstall again.';
    THROW 51095, @Message, 1;
END;
