-- Nobody is a member. It names the principal of dbsched's application locks, so that nobody else can take or release them.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.LocksRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the name of the schema with "_locks" added belongs to a principal that is no role; choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.LocksRoleLit}}) IS NULL
    CREATE ROLE {{.LocksRole}} AUTHORIZATION {{.Owner}};
