-- Members may start, stop and set the scheduler, and do for everybody what users do for themselves.
SET NOCOUNT ON;

IF DATABASE_PRINCIPAL_ID({{.AdminRoleLit}}) IS NULL
    CREATE ROLE {{.AdminRole}} AUTHORIZATION {{.Owner}};
