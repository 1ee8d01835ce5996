SET ANSI_NULLS, QUOTED_IDENTIFIER ON;
GO
-- Lets dbsched end the sessions of its own workers. Run it as a sysadmin, in the database of dbsched. It can be run again.
-- Availability group: run all of it once, on the primary; on other replicas only the last batch, or it would create another certificate.
SET NOCOUNT ON;

IF ISNULL(IS_SRVROLEMEMBER(N'sysadmin'), 0) = 0
    THROW 51085, N'dbsched 51085: only a sysadmin can run this script, because it grants rights on the server. Ask a sysadmin to run it.', 1;

IF OBJECT_ID(N'[dbsched].[KillWorker]', N'P') IS NULL
    THROW 51086, N'dbsched 51086: dbsched is not installed in this schema of this database. Connect to its database, or render the script with its --schema.', 1;

-- Read this before you sign it. It ends only sessions that Service Broker activated in a lane of this schema.
SELECT OBJECT_DEFINITION(OBJECT_ID(N'[dbsched].[KillWorker]', N'P')) AS WhatIsSigned;
GO
-- A certificate that signs only this procedure. The password is never shown and the private key is removed, so it can sign nothing else.
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @Password nvarchar(100) = CONVERT(nvarchar(36), NEWID()) + N'aA1!' + CONVERT(nvarchar(36), NEWID());
DECLARE @Command nvarchar(1000);

IF EXISTS (SELECT 1 FROM sys.crypt_properties AS s
           INNER JOIN sys.certificates AS c ON c.thumbprint = s.thumbprint
           WHERE s.major_id = OBJECT_ID(N'[dbsched].[KillWorker]', N'P') AND c.name = N'dbsched_kill')
    DROP SIGNATURE FROM [dbsched].KillWorker BY CERTIFICATE [dbsched_kill];

IF CERT_ID(N'[dbsched_kill]') IS NOT NULL
    DROP CERTIFICATE [dbsched_kill];

SET @Command = N'CREATE CERTIFICATE [dbsched_kill] ENCRYPTION BY PASSWORD = N''' + @Password
             + N''' WITH SUBJECT = N''dbsched may end sessions of its workers'', EXPIRY_DATE = N''20991231'';';
EXEC (@Command);

SET @Command = N'ADD SIGNATURE TO [dbsched].KillWorker BY CERTIFICATE [dbsched_kill] WITH PASSWORD = N''' + @Password + N''';';
EXEC (@Command);

ALTER CERTIFICATE [dbsched_kill] REMOVE PRIVATE KEY;
GO
-- In master: the public part of the certificate, a login from it, with which no one can log in, and its rights.
-- The names contain the name of the database, because each database has its own certificate.
--   ALTER ANY CONNECTION   KILL
--   VIEW SERVER STATE      to see which sessions Service Broker has activated
--   AUTHENTICATE SERVER    lets the signed procedure vouch for a caller activated in this database
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @Login nvarchar(258) = QUOTENAME(LEFT(N'dbsched_kill' + N' in ' + DB_NAME(), 128));
DECLARE @Public nvarchar(max) = CONVERT(nvarchar(max), CERTENCODED(CERT_ID(N'[dbsched_kill]')), 1);
DECLARE @Command nvarchar(max);

IF EXISTS (SELECT 1 FROM sys.server_principals AS p WHERE p.name = LEFT(N'dbsched_kill' + N' in ' + DB_NAME(), 128))
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
--   DROP LOGIN [dbsched_kill in <database>], then, in master, DROP CERTIFICATE of the same name.
GO
