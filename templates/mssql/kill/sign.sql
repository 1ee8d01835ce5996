-- A certificate that signs only this procedure. The password is never shown and the private key is removed, so it can sign nothing else.
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @Password nvarchar(100) = CONVERT(nvarchar(36), NEWID()) + N'aA1!' + CONVERT(nvarchar(36), NEWID());
DECLARE @Command nvarchar(1000);

IF EXISTS (SELECT 1 FROM sys.crypt_properties AS s
           INNER JOIN sys.certificates AS c ON c.thumbprint = s.thumbprint
           WHERE s.major_id = OBJECT_ID({{str .KillProcedure}}, N'P') AND c.name = {{.KillCertificateLit}})
    DROP SIGNATURE FROM {{.Schema}}.KillWorker BY CERTIFICATE {{.KillCertificate}};

IF CERT_ID({{str .KillCertificate}}) IS NOT NULL
    DROP CERTIFICATE {{.KillCertificate}};

SET @Command = N'CREATE CERTIFICATE {{.KillCertificateInString}} ENCRYPTION BY PASSWORD = N''' + @Password
             + N''' WITH SUBJECT = N''dbsched may end sessions of its workers'', EXPIRY_DATE = N''20991231'';';
EXEC (@Command);

SET @Command = N'ADD SIGNATURE TO {{.SchemaInString}}.KillWorker BY CERTIFICATE {{.KillCertificateInString}} WITH PASSWORD = N''' + @Password + N''';';
EXEC (@Command);

ALTER CERTIFICATE {{.KillCertificate}} REMOVE PRIVATE KEY;
