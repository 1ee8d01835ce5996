-- Part 1 of {{.Parts}}: run it as the owner of dbsched's database, in that database. It can be run again, with other users.
{{- if .Revoke}}
-- Removes the signed modules of all users. Tasks that are already running continue.
{{- else}}
-- Creates and signs a module for each named user, in which the user's tasks run. From then on, the person running this can do in the
-- other databases what these users may do there, by giving them tasks.
{{- end}}
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @Name nvarchar(128) = LEFT({{.TrustNameLit}} + N' of ' + DB_NAME(), 128), @Print nvarchar(4000), @Command nvarchar(max);

EXEC sys.sp_set_session_context N'dbsched_trust_name', NULL;
EXEC sys.sp_set_session_context N'dbsched_trust', NULL;

IF IS_ROLEMEMBER(N'db_owner') = 0
    THROW 51083, N'dbsched 51083: only a member of db_owner of dbsched''s database can run this part.', 1;

IF OBJECT_ID({{str .RunTaskText}}, N'P') IS NULL
    THROW 51086, N'dbsched 51086: dbsched is not installed in this schema of this database. Connect to its database, or render the script with its --schema.', 1;
{{- if not .Revoke}}

DECLARE @Users TABLE (Name nvarchar(128) NOT NULL);
DECLARE @Result int, @UserId nvarchar(10), @User nvarchar(300), @Sid nvarchar(200), @Database nvarchar(500), @Module nvarchar(max), @Message nvarchar(2000);
DECLARE @Password nvarchar(100) = CONVERT(nvarchar(36), NEWID()) + N'aA1!' + CONVERT(nvarchar(36), NEWID());

INSERT INTO @Users (Name) VALUES {{range $i, $name := .Users}}{{if $i}}, {{end}}({{str $name}}){{end}};

SELECT TOP (1) @Message = N'dbsched 51087: ' + {{thrown "QUOTENAME(u.Name)"}}
    + N' is not a user of this database with its own login. Nothing was changed.'
FROM @Users AS u
LEFT JOIN sys.database_principals AS p
    ON p.name = u.Name COLLATE DATABASE_DEFAULT AND p.principal_id > 4 AND p.type IN ('S', 'U', 'E') AND p.authentication_type NOT IN (0, 2)
WHERE p.principal_id IS NULL
ORDER BY u.Name;

IF @Message IS NOT NULL
    THROW 51087, @Message, 1;
{{- end}}

BEGIN TRANSACTION;

DECLARE Modules CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT N'DROP PROCEDURE ' + QUOTENAME({{.SchemaLit}}) + N'.' + QUOTENAME(o.name) + N';'
    FROM sys.objects AS o
    WHERE o.schema_id = SCHEMA_ID({{.SchemaLit}}) AND o.type = 'P' AND o.name LIKE N'RunAs[_][0-9]%';

OPEN Modules;
FETCH NEXT FROM Modules INTO @Command;
WHILE @@FETCH_STATUS = 0
BEGIN
    EXEC (@Command);
    FETCH NEXT FROM Modules INTO @Command;
END;
CLOSE Modules;
DEALLOCATE Modules;

IF CERT_ID({{str .TrustCertificate}}) IS NOT NULL
    DROP CERTIFICATE {{.TrustCertificate}};
{{- if not .Revoke}}

-- The password is never shown and the private key is removed below, so the certificate can sign nothing else.
SET @Command = N'CREATE CERTIFICATE {{.TrustCertificateInString}} ENCRYPTION BY PASSWORD = N''' + @Password
             + N''' WITH SUBJECT = N''dbsched runs the tasks of named users'', EXPIRY_DATE = N''20991231'';';
EXEC (@Command);

-- Name, broker GUID and owner distinguish this database from a copy. All users may read them for the current database (sys.databases),
-- but not database_guid (sys.database_recovery_status).
SELECT @Database = N'd.name = N' + QUOTENAME(d.name, '''') + N' AND d.service_broker_guid = N''' + CONVERT(nvarchar(36), d.service_broker_guid)
                 + N''' AND d.owner_sid = ' + CONVERT(nvarchar(200), d.owner_sid, 1)
FROM sys.databases AS d
WHERE d.database_id = DB_ID();

DECLARE Users CURSOR LOCAL STATIC READ_ONLY FOR
    SELECT DISTINCT CONVERT(nvarchar(10), p.principal_id), QUOTENAME(p.name, ''''), CONVERT(nvarchar(200), p.sid, 1)
    FROM @Users AS u
    INNER JOIN sys.database_principals AS p ON p.name = u.Name COLLATE DATABASE_DEFAULT;

OPEN Users;
FETCH NEXT FROM Users INTO @UserId, @User, @Sid;
WHILE @@FETCH_STATUS = 0
BEGIN
    -- Read this before you trust it: it is what gets signed.
    SET @Module = CONVERT(nvarchar(max), N'-- Runs a task of a user that other databases were asked to trust (dbsched render --trust). Altering it drops its signature, and so
-- the trust. It checks everything it relies on, and accepts a task number, not a text: the batch is the one that the user enqueued, and
-- runs one level down, in a procedure that is not signed.
CREATE PROCEDURE {{.SchemaInString}}.RunAs_') + @UserId + N'
    @TaskId bigint,
    @TransactionId bigint,
    @Rows bigint OUTPUT,
    @ErrorNumber int OUTPUT,
    @ErrorMessage nvarchar(4000) OUTPUT,
    @ErrorProcedure nvarchar(300) OUTPUT,
    @ErrorLine int OUTPUT
WITH EXECUTE AS N' + @User + N'
AS
BEGIN
    DECLARE @SqlText nvarchar(max), @Parameters nvarchar(max);

    IF NOT EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.database_id = DB_ID() AND ' + @Database + N')
        THROW 51048, N''dbsched 51048: this database is not the one that other databases trust: it is a copy, or its name or owner changed. Run the script of render --trust again.'', 1;

    IF NOT EXISTS (SELECT 1 FROM sys.login_token AS k WHERE k.sid = ' + @Sid + N' AND k.usage <> N''AUTHENTICATOR'')
        THROW 51048, N''dbsched 51048: the user no longer has the login that other databases trust. Run the script of render --trust again.'', 1;

    -- The token of a user contains all roles of its login, although they grant nothing here. All users can see their own token, and the
    -- members of fixed roles. The token also contains the database owner, as authenticator.
    IF EXISTS (SELECT 1 FROM sys.login_token AS k
               WHERE k.usage <> N''AUTHENTICATOR''
                 AND (k.name = N''sysadmin''
                      OR EXISTS (SELECT 1 FROM sys.server_role_members AS m WHERE m.member_principal_id = k.principal_id AND m.role_principal_id = 3)
                      OR EXISTS (SELECT 1 FROM sys.server_permissions AS p
                                 WHERE p.grantee_principal_id = k.principal_id AND p.class = 100 AND p.state IN (''G'', ''W'')
                                   AND p.permission_name IN (N''CONTROL SERVER'', N''IMPERSONATE ANY LOGIN''))))
        THROW 51048, N''dbsched 51048: tasks of a sysadmin, or of a login with CONTROL SERVER or IMPERSONATE ANY LOGIN, may not leave the database. Use another login.'', 1;

    -- NULL: part 1 checks whether the user may be named.
    IF @TaskId IS NULL
        RETURN;

    SELECT @SqlText = t.SqlText, @Parameters = t.Parameters
    FROM {{.SchemaInString}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE t.TaskId = @TaskId AND t.Status IN (''Running'', ''Stopping'') AND t.EnqueuedBySid = ' + @Sid + N';

    IF @SqlText IS NULL
        THROW 51048, N''dbsched 51048: this is not a running task of the user.'', 1;

    EXEC {{.SchemaInString}}.RunTaskText @SqlText, @Parameters, @TransactionId, @Rows OUTPUT, @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;
END;';
    EXEC (@Module);

    SET @Module = N'{{.SchemaInString}}.RunAs_' + @UserId;
    SET @Command = N'ADD SIGNATURE TO ' + @Module + N' BY CERTIFICATE {{.TrustCertificateInString}} WITH PASSWORD = N''' + @Password + N''';';
    EXEC (@Command);

    EXEC @Result = @Module NULL, NULL, NULL, NULL, NULL, NULL, NULL;

    -- Called only by procedures of the same owner.
    SET @Command = N'DENY EXECUTE ON ' + @Module + N' TO public;';
    EXEC (@Command);

    FETCH NEXT FROM Users INTO @UserId, @User, @Sid;
END;
CLOSE Users;
DEALLOCATE Users;

ALTER CERTIFICATE {{.TrustCertificate}} REMOVE PRIVATE KEY;
{{- end}}

COMMIT TRANSACTION;

{{if .Revoke -}}
EXEC sys.sp_set_session_context N'dbsched_trust_name', @Name;
SET @Print = N'EXEC sys.sp_set_session_context N''dbsched_trust_name'', N' + QUOTENAME(@Name, '''') + N';';
{{- else -}}
DECLARE @Public varbinary(8000) = CERTENCODED(CERT_ID({{str .TrustCertificate}}));
EXEC sys.sp_set_session_context N'dbsched_trust_name', @Name;
EXEC sys.sp_set_session_context N'dbsched_trust', @Public;
SET @Print = N'EXEC sys.sp_set_session_context N''dbsched_trust_name'', N' + QUOTENAME(@Name, '''') + N';' + NCHAR(10)
           + N'EXEC sys.sp_set_session_context N''dbsched_trust'', ' + CONVERT(nvarchar(max), @Public, 1) + N';';
{{- end}}
PRINT N'To run the part for another database in a separate session, run this first:' + NCHAR(10) + @Print;
