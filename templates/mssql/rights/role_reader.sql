-- Members may see all tasks, processes, logs, workers and alarms, including SQL texts.
SET NOCOUNT ON;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.ReaderRoleLit}} AND p.type <> 'R')
    THROW 51084, N'dbsched 51084: the schema name with "_reader" added is the name of a principal that is not a role. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.ReaderRoleLit}}) IS NULL
    CREATE ROLE {{.ReaderRole}} AUTHORIZATION {{.Owner}};
