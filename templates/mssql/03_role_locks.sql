-- Nobody is a member. It names the principal of dbsched's application locks, so that nobody else can take or release them.
SET NOCOUNT ON;

IF DATABASE_PRINCIPAL_ID({{.LocksRoleLit}}) IS NULL
    CREATE ROLE {{.LocksRole}} AUTHORIZATION {{.Owner}};
