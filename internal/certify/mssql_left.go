package certify

// mssqlOutside begins the names of what the probes make outside the database. Two runs in two databases of a server differ by the database's number.
const mssqlOutside = `N'` + mssqlProbe + `' + CONVERT(nvarchar(10), DB_ID()) + N'_`

// mssqlLikeOutside matches them.
const mssqlLikeOutside = `N'dbsched[_]certify[_]probe[_]' + CONVERT(nvarchar(10), DB_ID()) + N'[_]%'`

// mssqlOurs are the schemas.
const mssqlOurs = `(N'` + mssqlSchema + `', N'` + mssqlProbes + `')`

// mssqlKillLogin is what the kill script makes on the server and in master.
const mssqlKillLogin = `LEFT(N'` + mssqlSchema + `_kill in ' + DB_NAME(), 128)`

// mssqlDropDatabase is the statement that drops the database d. A Managed Instance refuses SINGLE_USER (T-SQL differences, ALTER DATABASE).
const mssqlDropDatabase = `CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) = 8 THEN N''
     ELSE N'ALTER DATABASE ' + QUOTENAME(d.name) + N' SET SINGLE_USER WITH ROLLBACK IMMEDIATE; ' END + N'DROP DATABASE ' + QUOTENAME(d.name)`

// mssqlUnseen: msdb shows a login its own jobs, and the server the logins that it may alter.
const mssqlUnseen = `SELECT N'jobs of SQL Server Agent that another login owns, and logins' WHERE IS_SRVROLEMEMBER(N'sysadmin') = 0`

// mssqlLeft lists what a run has left, in the order in which it can be dropped. Whoever may not look into master or msdb has made nothing there.
const mssqlLeft = `SET NOCOUNT ON;
SET XACT_ABORT OFF;
DECLARE @Left TABLE (Step int NOT NULL, Kind nvarchar(30) NOT NULL, Name nvarchar(300) NOT NULL, Text nvarchar(4000) NOT NULL);
DECLARE @Like nvarchar(128) = ` + mssqlLikeOutside + `, @Kill nvarchar(128) = ` + mssqlKillLogin + `, @Query nvarchar(4000);

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 1, N'service', s.name, N'DECLARE @Handle uniqueidentifier;
WHILE 1 = 1
BEGIN
    SET @Handle = (SELECT TOP (1) e.conversation_handle FROM sys.conversation_endpoints AS e WHERE e.service_id = ' + CONVERT(nvarchar(10), s.service_id) + N');
    IF @Handle IS NULL
        BREAK;
    END CONVERSATION @Handle WITH CLEANUP;
    IF @@ERROR <> 0
        BREAK;
END;
DROP SERVICE ' + QUOTENAME(s.name) + N';'
FROM sys.services AS s
INNER JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
WHERE SCHEMA_NAME(q.schema_id) IN ` + mssqlOurs + `;

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT CASE o.type WHEN 'U' THEN 3 ELSE 2 END, N'object', SCHEMA_NAME(o.schema_id) + N'.' + o.name,
       N'DROP ' + CASE o.type WHEN 'U' THEN N'TABLE' WHEN 'P' THEN N'PROCEDURE' WHEN 'V' THEN N'VIEW' WHEN 'SQ' THEN N'QUEUE' ELSE N'FUNCTION' END
       + N' ' + QUOTENAME(SCHEMA_NAME(o.schema_id)) + N'.' + QUOTENAME(o.name)
FROM sys.objects AS o
WHERE o.type IN ('U', 'P', 'V', 'SQ', 'IF', 'TF', 'FN') AND SCHEMA_NAME(o.schema_id) IN ` + mssqlOurs + `;

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 4, N'type', SCHEMA_NAME(t.schema_id) + N'.' + t.name, N'DROP TYPE ' + QUOTENAME(SCHEMA_NAME(t.schema_id)) + N'.' + QUOTENAME(t.name)
FROM sys.types AS t
WHERE t.is_user_defined = 1 AND SCHEMA_NAME(t.schema_id) IN ` + mssqlOurs + `;

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 4, N'contract', c.name, N'DROP CONTRACT ' + QUOTENAME(c.name)
FROM sys.service_contracts AS c
WHERE c.name LIKE N'//dbsched[_]certify/%';

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 5, N'message type', m.name, N'DROP MESSAGE TYPE ' + QUOTENAME(m.name)
FROM sys.service_message_types AS m
WHERE m.name LIKE N'//dbsched[_]certify/%';

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 6, N'user', p.name, N'DROP USER ' + QUOTENAME(p.name)
FROM sys.database_principals AS p
WHERE p.type = 'S' AND p.name LIKE N'dbsched[_]certify[_]probe[_]%';

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 7, N'schema', s.name, N'DROP SCHEMA ' + QUOTENAME(s.name)
FROM sys.schemas AS s
WHERE s.name IN ` + mssqlOurs + `;

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 8, CASE p.type WHEN 'R' THEN N'role' ELSE N'user' END, p.name, N'DROP ' + CASE p.type WHEN 'R' THEN N'ROLE ' ELSE N'USER ' END + QUOTENAME(p.name)
FROM sys.database_principals AS p
WHERE p.type = 'S' AND p.name = N'` + mssqlSchema + `_owner'
   OR p.type = 'R' AND p.name IN (N'` + mssqlSchema + `_user', N'` + mssqlSchema + `_reader', N'` + mssqlSchema + `_admin', N'` + mssqlSchema + `_locks');

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 8, N'certificate', c.name, N'DROP CERTIFICATE ' + QUOTENAME(c.name)
FROM sys.certificates AS c
WHERE c.name IN (N'` + mssqlSchema + `_kill', N'` + mssqlSchema + `_trust');

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 9, N'database', d.name, ` + mssqlDropDatabase + `
FROM sys.databases AS d
WHERE d.name LIKE @Like;

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 10, N'login', p.name, N'DROP LOGIN ' + QUOTENAME(p.name)
FROM sys.server_principals AS p
WHERE p.type = 'S' AND p.name LIKE @Like OR p.type = 'C' AND p.name = @Kill;

BEGIN TRY
    SET @Query = N'SELECT 11, N''certificate of master'', c.name, N''EXEC (N''''USE master; DROP CERTIFICATE '' + REPLACE(QUOTENAME(c.name), N'''''''', N'''''''''''') + N'';'''');''
FROM master.sys.certificates AS c
WHERE c.name = @Kill';
    INSERT INTO @Left (Step, Kind, Name, Text)
    EXEC sys.sp_executesql @Query, N'@Kill nvarchar(128)', @Kill;
END TRY
BEGIN CATCH
END CATCH;

-- SQLAgentUserRole may not read sysjobs. The view shows a login its own jobs.
DECLARE @Jobs TABLE (Name nvarchar(128) NOT NULL);

BEGIN TRY
    SET @Query = N'SELECT j.name FROM msdb.dbo.sysjobs AS j WHERE j.name LIKE @Like';
    INSERT INTO @Jobs (Name)
    EXEC sys.sp_executesql @Query, N'@Like nvarchar(128)', @Like;
END TRY
BEGIN CATCH
    BEGIN TRY
        SET @Query = N'SELECT j.name FROM msdb.dbo.sysjobs_view AS j WHERE j.name LIKE @Like';
        INSERT INTO @Jobs (Name)
        EXEC sys.sp_executesql @Query, N'@Like nvarchar(128)', @Like;
    END TRY
    BEGIN CATCH
    END CATCH;
END CATCH;

INSERT INTO @Left (Step, Kind, Name, Text)
SELECT 5, N'job', j.Name, N'EXEC msdb.dbo.sp_delete_job @job_name = N' + QUOTENAME(j.Name, '''')
FROM @Jobs AS j;

-- Without the mark, an installation of this name is somebody's.
IF SCHEMA_ID(N'` + mssqlProbes + `') IS NULL AND SCHEMA_ID(N'` + mssqlSchema + `') IS NOT NULL
    DELETE FROM @Left WHERE Kind NOT IN (N'database', N'login', N'certificate of master', N'job');

SELECT l.Kind, l.Name, l.Text
FROM @Left AS l
ORDER BY l.Step, l.Name;`
