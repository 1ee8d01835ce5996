{{- if .Revoke -}}
-- Removes the trust in the signed modules of dbsched's database.
{{- else -}}
-- Trusts the certificate that signed the modules: a user's tasks have the rights of the user's login here, and no more. The certificate's
-- user has no other rights, and no one can log in as it. This also means trusting that part 1 was run as printed: before the private key
-- was removed, the person running it could have signed code that acts as any login.
{{- end}}
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @Name nvarchar(128) = CONVERT(nvarchar(128), SESSION_CONTEXT(N'dbsched_trust_name')), @Command nvarchar(max);
{{- if not .Revoke}}
DECLARE @Public varbinary(8000) = CONVERT(varbinary(8000), SESSION_CONTEXT(N'dbsched_trust'));
{{- end}}

IF @Name IS NULL{{if not .Revoke}} OR @Public IS NULL{{end}}
    THROW 51087, N'dbsched 51087: part 1 was not run in this session, or it failed. Run part 1, or the lines that it printed.', 1;

IF DB_ID() <> ISNULL(DB_ID({{.TargetLit}}), 0) OR @Name = LEFT({{.TrustNameLit}} + N' of ' + DB_NAME(), 128)
    THROW 51087, N'dbsched 51087: this is not the database of this part, or it is dbsched''s own database. Nothing was changed.', 1;

IF IS_ROLEMEMBER(N'db_owner') = 0
    THROW 51083, N'dbsched 51083: only a member of db_owner of this database can run this part.', 1;

BEGIN TRANSACTION;

IF EXISTS (SELECT 1 FROM sys.database_principals AS p WHERE p.name = @Name AND p.type = 'C')
BEGIN
    SET @Command = N'DROP USER ' + QUOTENAME(@Name) + N';';
    EXEC (@Command);
END;

IF CERT_ID(QUOTENAME(@Name)) IS NOT NULL
BEGIN
    SET @Command = N'DROP CERTIFICATE ' + QUOTENAME(@Name) + N';';
    EXEC (@Command);
END;
{{- if not .Revoke}}

SET @Command = N'CREATE CERTIFICATE ' + QUOTENAME(@Name) + N' FROM BINARY = ' + CONVERT(nvarchar(max), @Public, 1) + N';';
EXEC (@Command);

SET @Command = N'CREATE USER ' + QUOTENAME(@Name) + N' FROM CERTIFICATE ' + QUOTENAME(@Name) + N';';
EXEC (@Command);

SET @Command = N'GRANT AUTHENTICATE TO ' + QUOTENAME(@Name) + N';';
EXEC (@Command);
{{- end}}

COMMIT TRANSACTION;
