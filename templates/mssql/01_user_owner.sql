-- The owner of every dbsched object. A user without login survives restores and lost owner logins, which dbo does not.
-- db_owner is needed to impersonate the users whose tasks run; being this user therefore equals being dbo.
SET NOCOUNT ON;

IF DATABASE_PRINCIPAL_ID({{.OwnerLit}}) IS NULL
    CREATE USER {{.Owner}} WITHOUT LOGIN;

IF IS_ROLEMEMBER(N'db_owner', {{.OwnerLit}}) = 0
    ALTER ROLE db_owner ADD MEMBER {{.Owner}};
