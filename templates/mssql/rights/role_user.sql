-- Members may enqueue tasks, create processes, and see their own.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.UserRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_user" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.UserRoleLit}}) IS NULL
    CREATE ROLE {{.UserRole}} AUTHORIZATION {{.Owner}};
