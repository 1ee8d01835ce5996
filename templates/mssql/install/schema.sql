-- The schema of all dbsched objects. An existing, empty schema of this name is reused.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.schemas AS s
           INNER JOIN sys.objects AS o ON o.schema_id = s.schema_id
           WHERE s.name = {{.SchemaLit}} AND s.principal_id <> DATABASE_PRINCIPAL_ID({{.OwnerLit}})
             AND NOT EXISTS (SELECT 1 FROM sys.tables AS t WHERE t.schema_id = s.schema_id AND t.name = N'SchemaVersion'))
    THROW 51084, N'dbsched 51084: the schema exists and contains objects that are not part of dbsched. Choose another schema name.', 1;

IF SCHEMA_ID({{.SchemaLit}}) IS NULL
    EXEC (N'CREATE SCHEMA {{.SchemaInString}} AUTHORIZATION {{.OwnerInString}};');
ELSE IF NOT EXISTS (SELECT 1 FROM sys.schemas AS s WHERE s.name = {{.SchemaLit}} AND s.principal_id = DATABASE_PRINCIPAL_ID({{.OwnerLit}}))
    ALTER AUTHORIZATION ON SCHEMA::{{.Schema}} TO {{.Owner}};
