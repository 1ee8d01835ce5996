-- The owner of every dbsched object. A user without login survives restores and lost owner logins, which dbo does not.
-- db_owner is needed to impersonate the users whose tasks run; being this user therefore equals being dbo.
SET NOCOUNT ON;

-- A user of this name that somebody can log in as must not become db_owner by our hand.
IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.OwnerLit}} AND (p.type <> 'S' OR p.authentication_type <> 0))
    THROW 51084, N'dbsched 51084: the name of the schema with "_owner" added belongs to a principal that is not dbsched''s; choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.OwnerLit}}) IS NULL
    CREATE USER {{.Owner}} WITHOUT LOGIN;

IF IS_ROLEMEMBER(N'db_owner', {{.OwnerLit}}) = 0
    ALTER ROLE db_owner ADD MEMBER {{.Owner}};
