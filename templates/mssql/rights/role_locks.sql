-- Has no members. It is the principal of dbsched's application locks, so that other users cannot take or release them.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.LocksRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_locks" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.LocksRoleLit}}) IS NULL
    CREATE ROLE {{.LocksRole}} AUTHORIZATION {{.Owner}};
