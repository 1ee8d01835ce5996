-- Members may see all tasks, processes, logs, workers and alarms, SQL texts included.
SET NOCOUNT ON;

IF DATABASE_PRINCIPAL_ID({{.ReaderRoleLit}}) IS NULL
    CREATE ROLE {{.ReaderRole}} AUTHORIZATION {{.Owner}};
