-- Members may see all tasks, processes, logs, workers and alarms, SQL texts included.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.ReaderRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the name of the schema with "_reader" added belongs to a principal that is no role; choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.ReaderRoleLit}}) IS NULL
    CREATE ROLE {{.ReaderRole}} AUTHORIZATION {{.Owner}};
