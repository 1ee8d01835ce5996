-- What the life-cycle test executes on the sandbox itself, and what the installation and
-- the uninstallation execute dynamically.
CREATE TABLE dbo.Foreigner (Id int NOT NULL PRIMARY KEY);
INSERT INTO dbo.Foreigner (Id) VALUES (42);
SELECT Id FROM dbo.Foreigner;
go
CREATE SCHEMA [dbsched] AUTHORIZATION [dbsched_owner];
go
CREATE SCHEMA dbsched;
go
CREATE TABLE dbsched.ExecAsync (Id int);
DROP TABLE dbsched.ExecAsync;
DROP VIEW dbsched.AlarmInfo;
ALTER QUEUE dbsched.Lane_01 WITH ACTIVATION (STATUS = OFF);
UPDATE dbsched.SchemaVersion SET dirty = 1;
UPDATE dbsched.SchemaVersion SET version = version + 50;
UPDATE dbsched.SchemaVersion SET version = version - 50;
go
CREATE OR ALTER PROCEDURE dbsched.Sweep AS RETURN 1;
go
EXEC sys.sp_getapplock @Resource = N'dbsched installation of dbsched', @LockMode = N'Exclusive', @LockOwner = N'Session',
    @LockTimeout = 0, @DbPrincipal = N'db_owner';
EXEC [dbsched].WaitProcess 1, 120;
WAITFOR DELAY '00:00:01'; -- 1
SELECT 1/0;
SELECT USER_NAME();
SELECT 'while stopped';
go
CREATE LOGIN low WITH PASSWORD = 'hush-Low2';
CREATE USER low FOR LOGIN low;
ALTER ROLE dbsched_user ADD MEMBER low;
ALTER ROLE [dbsched_user] DROP MEMBER [low];
go
ALTER DATABASE sandbox SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE;
go
DROP SERVICE [//dbsched/Lane_01];
DROP QUEUE [dbsched].[Lane_01];
DROP PROCEDURE [dbsched].[Sweep];
DROP VIEW [dbsched].[TaskInfo];
DROP TABLE [dbsched].[Tasks];
go
SELECT N'object ' + o.name FROM sys.objects AS o WHERE o.is_ms_shipped = 0 ORDER BY o.name;
SELECT N'schema ' + s.name FROM sys.schemas AS s ORDER BY s.name;
SELECT N'type ' + t.name FROM sys.types AS t WHERE t.is_user_defined = 1 ORDER BY t.name;
SELECT N'conversation ' + CONVERT(nvarchar(36), e.conversation_handle) FROM sys.conversation_endpoints AS e;
SELECT N'message ' + CONVERT(nvarchar(36), q.conversation_handle) FROM sys.transmission_queue AS q;
go
