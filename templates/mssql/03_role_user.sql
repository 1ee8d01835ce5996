-- Members may enqueue tasks, make processes, and see their own.
SET NOCOUNT ON;

IF DATABASE_PRINCIPAL_ID({{.UserRoleLit}}) IS NULL
    CREATE ROLE {{.UserRole}} AUTHORIZATION {{.Owner}};
