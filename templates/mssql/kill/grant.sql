-- In master: the public part of the certificate, a login from it, with which no one can log in, and its rights.
-- The names contain the name of the database, because each database has its own certificate.
--   ALTER ANY CONNECTION   KILL
--   VIEW SERVER STATE      to see which sessions Service Broker has activated
--   AUTHENTICATE SERVER    lets the signed procedure vouch for a caller activated in this database
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @Login nvarchar(258) = QUOTENAME(LEFT({{.KillCertificateLit}} + N' in ' + DB_NAME(), 128));
DECLARE @Public nvarchar(max) = CONVERT(nvarchar(max), CERTENCODED(CERT_ID({{str .KillCertificate}})), 1);
DECLARE @Command nvarchar(max);

IF EXISTS (SELECT 1 FROM sys.server_principals AS p WHERE p.name = LEFT({{.KillCertificateLit}} + N' in ' + DB_NAME(), 128))
BEGIN
    SET @Command = N'DROP LOGIN ' + @Login + N';';
    EXEC (@Command);
END;

SET @Command = N'USE master; IF CERT_ID(N''' + REPLACE(@Login, N'''', N'''''') + N''') IS NOT NULL DROP CERTIFICATE ' + @Login + N';';
EXEC (@Command);

SET @Command = N'USE master; CREATE CERTIFICATE ' + @Login + N' FROM BINARY = ' + @Public + N';';
EXEC (@Command);

SET @Command = N'USE master; CREATE LOGIN ' + @Login + N' FROM CERTIFICATE ' + @Login + N';';
EXEC (@Command);

SET @Command = N'USE master; GRANT ALTER ANY CONNECTION, VIEW SERVER STATE, AUTHENTICATE SERVER TO ' + @Login + N';';
EXEC (@Command);

-- To undo this, and before you drop the database:
--   DROP LOGIN [{{.KillCertificateName}} in <database>], then, in master, DROP CERTIFICATE of the same name.
