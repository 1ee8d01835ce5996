-- The owner of all dbsched objects. Unlike dbo, a user without login survives restores and lost owner logins.
-- It needs db_owner to impersonate the users that enqueue tasks, so acting as this user equals acting as dbo.
SET NOCOUNT ON;

-- Do not make an existing user of this name db_owner if it has a login.
IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = {{.OwnerLit}} AND (p.type <> 'S' OR p.authentication_type <> 0))
    THROW 51084, N'dbsched 51084: the schema name with "_owner" added is the name of another principal. Choose another schema name.', 1;

IF DATABASE_PRINCIPAL_ID({{.OwnerLit}}) IS NULL
    CREATE USER {{.Owner}} WITHOUT LOGIN;

IF IS_ROLEMEMBER(N'db_owner', {{.OwnerLit}}) = 0
    ALTER ROLE db_owner ADD MEMBER {{.Owner}};
