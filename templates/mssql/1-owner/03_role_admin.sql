-- Members may start, stop and set the scheduler, and do for everybody what users do for themselves.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.AdminRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the name of the schema with "_admin" added belongs to a principal that is no role; choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.AdminRoleLit}}) IS NULL
    CREATE ROLE {{.AdminRole}} AUTHORIZATION {{.Owner}};
