-- Members may enqueue tasks, make processes, and see their own.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.UserRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the name of the schema with "_user" added belongs to a principal that is no role; choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.UserRoleLit}}) IS NULL
    CREATE ROLE {{.UserRole}} AUTHORIZATION {{.Owner}};
