-- The schema that holds every dbsched object. An existing empty schema of this name is taken over.
SET NOCOUNT ON;

IF SCHEMA_ID({{.SchemaLit}}) IS NULL
    EXEC (N'CREATE SCHEMA {{.SchemaInString}} AUTHORIZATION {{.OwnerInString}};');
ELSE IF NOT EXISTS (SELECT 1 FROM sys.schemas AS s WHERE s.name = {{.SchemaLit}} AND s.principal_id = DATABASE_PRINCIPAL_ID({{.OwnerLit}}))
    ALTER AUTHORIZATION ON SCHEMA::{{.Schema}} TO {{.Owner}};
