-- Members may start, stop and configure the scheduler, and manage all users' tasks and processes.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.AdminRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_admin" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.AdminRoleLit}}) IS NULL
    CREATE ROLE {{.AdminRole}} AUTHORIZATION {{.Owner}};
