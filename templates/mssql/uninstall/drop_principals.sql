-- Drops the roles and their memberships, the schema and its owner.
SET NOCOUNT ON;
SET LOCK_TIMEOUT 30000;
DECLARE @Command nvarchar(1000);

DECLARE Members CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'ALTER ROLE ' + QUOTENAME(r.name) + N' DROP MEMBER ' + QUOTENAME(m.name) + N';'
    FROM sys.database_role_members AS x
    INNER JOIN sys.database_principals AS r ON r.principal_id = x.role_principal_id
    INNER JOIN sys.database_principals AS m ON m.principal_id = x.member_principal_id
    WHERE r.name IN ({{.UserRoleLit}}, {{.ReaderRoleLit}}, {{.AdminRoleLit}}, {{.LocksRoleLit}});

OPEN Members;
FETCH NEXT FROM Members INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Members INTO @Command;
END;
CLOSE Members;
DEALLOCATE Members;

-- The kill script's certificate in this database.
IF CERT_ID({{str .KillCertificate}}) IS NOT NULL
    DROP CERTIFICATE {{.KillCertificate}};

-- The trust script's certificate in this database.
IF CERT_ID({{str .TrustCertificate}}) IS NOT NULL
    DROP CERTIFICATE {{.TrustCertificate}};

DROP ROLE IF EXISTS {{.UserRole}};
DROP ROLE IF EXISTS {{.ReaderRole}};
DROP ROLE IF EXISTS {{.AdminRole}};
DROP ROLE IF EXISTS {{.LocksRole}};
DROP SCHEMA IF EXISTS {{.Schema}};
DROP USER IF EXISTS {{.Owner}};
