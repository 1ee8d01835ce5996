-- Jobs of SQL Server Agent: definition, start, what msdb shows, errors.
DECLARE @id uniqueidentifier;
EXEC msdb.dbo.sp_add_job @job_name = N'Load', @job_id = @id OUTPUT;
SELECT IIF(@id IS NULL, 0, 1);
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Load', @step_name = N'first', @command = N'PRINT ''$(ESCAPE_SQUOTE(JOBNAME)) runs''; INSERT INTO dbo.Log (T) VALUES (N''first'');', @database_name = N'test', @on_success_action = 3;
EXEC msdb.dbo.sp_add_jobstep @job_id = @id, @step_name = N'second', @command = N'WAITFOR DELAY ''00:01:00''; INSERT INTO dbo.Log (T) VALUES (APP_NAME());', @database_name = N'test';
EXEC msdb.dbo.sp_start_job N'Load';
go
CREATE TABLE dbo.Log (Id int IDENTITY PRIMARY KEY, T nvarchar(200));
EXEC msdb.dbo.sp_add_jobserver @job_name = N'Load', @server_name = N'(local)';
EXEC msdb.dbo.sp_add_jobserver @job_name = N'Load';
DECLARE @r int = 9;
EXEC @r = msdb.dbo.sp_start_job N'Load';
SELECT @r;
SELECT j.name, a.session_id, a.run_requested_date, a.start_execution_date FROM msdb.dbo.sysjobactivity AS a INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = a.job_id;
go
-- A second request is refused. It is a message and no error: TRY does not see it, and the status tells.
BEGIN TRY
    DECLARE @r int = 9;
    EXEC @r = msdb.dbo.sp_start_job @job_name = N'load';
    PRINT CONCAT('status ', @r);
END TRY
BEGIN CATCH
    PRINT 'caught';
END CATCH;
go
-- @advance 10s
DECLARE @r int;
EXEC @r = msdb.dbo.sp_start_job N'Load';
PRINT CONCAT('status ', @r);
SELECT a.run_requested_source, IIF(a.start_execution_date >= a.run_requested_date, 1, 0), a.last_executed_step_id, a.stop_execution_date, a.job_history_id FROM msdb.dbo.sysjobactivity AS a;
SELECT T FROM dbo.Log;
go
-- @advance 2m
SELECT h.instance_id, h.step_id, h.step_name, h.run_status, h.sql_message_id, h.[message], h.run_duration / 100 FROM msdb.dbo.sysjobhistory AS h ORDER BY h.instance_id;
SELECT a.job_history_id, IIF(a.stop_execution_date IS NULL, 0, 1) FROM msdb.dbo.sysjobactivity AS a;
SELECT LEFT(T, 29) FROM dbo.Log;
SELECT MAX(session_id) FROM msdb.dbo.syssessions;
go
-- A failing step: the first error ends it. It goes on with the step that it names.
EXEC msdb.dbo.sp_add_job N'Fail', @enabled = 0;
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Fail', @step_name = N'a', @command = N'SELECT 1 / 0; INSERT INTO dbo.Log (T) VALUES (N''never'');', @database_name = N'test', @on_fail_action = 4, @on_fail_step_id = 3;
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Fail', @step_name = N'b', @command = N'INSERT INTO dbo.Log (T) VALUES (N''never'');', @database_name = N'test';
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Fail', @step_name = N'c', @command = N'SET QUOTED_IDENTIFIER ON; SELECT "T" FROM dbo.Log;', @database_name = N'test', @on_success_action = 2;
EXEC msdb.dbo.sp_add_jobserver @job_name = N'Fail';
EXEC msdb.dbo.sp_start_job N'Fail';
go
-- @advance 1m
SELECT h.step_id, h.run_status, h.sql_message_id, h.sql_severity, h.[message] FROM msdb.dbo.sysjobhistory AS h INNER JOIN msdb.dbo.sysjobs AS j ON j.job_id = h.job_id WHERE j.name = N'Fail' ORDER BY h.instance_id;
SELECT COUNT(*) FROM dbo.Log WHERE T = N'never';
go
-- Stopping.
EXEC msdb.dbo.sp_stop_job N'Load';
EXEC msdb.dbo.sp_start_job N'Load';
go
-- @advance 20s
EXEC msdb.dbo.sp_stop_job N'Load';
go
-- @advance 1s
SELECT TOP (2) h.step_id, h.run_status, h.[message] FROM msdb.dbo.sysjobhistory AS h ORDER BY h.instance_id DESC;
go
-- @advance 1s
EXEC msdb.dbo.sp_start_job N'Load', @step_name = N'second';
EXEC msdb.dbo.sp_start_job N'Load', @step_name = N'third';
go
-- @advance 2m
SELECT TOP (2) h.step_id, h.run_status FROM msdb.dbo.sysjobhistory AS h ORDER BY h.instance_id DESC;
go
-- Errors of the procedures are errors to the caller.
SET XACT_ABORT ON;
BEGIN TRY
    EXEC msdb.dbo.sp_start_job N'nobody';
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_PROCEDURE();
END CATCH;
EXEC msdb.dbo.sp_start_job;
EXEC msdb.dbo.sp_start_job @job_id = '6F9619FF-8B86-D011-B42D-00C04FC964FF';
EXEC msdb.dbo.sp_add_job N'load';
go
-- Only in msdb.
SET XACT_ABORT OFF;
EXEC sp_start_job N'Load';
EXEC dbo.sp_start_job N'Load';
SELECT * FROM dbo.sysjobs;
go
-- Who is no sysadmin.
CREATE LOGIN bob WITH PASSWORD = 'x';
CREATE USER bob FOR LOGIN bob;
CREATE USER carl WITHOUT LOGIN;
go
-- @B as bob
EXEC msdb.dbo.sp_start_job N'Load';
SELECT name FROM msdb.dbo.sysjobs;
go
EXECUTE AS USER = 'carl';
EXEC msdb.dbo.sp_start_job N'Load';
SELECT name FROM msdb.dbo.sysjobs;
REVERT;
go
-- @refused
BEGIN TRANSACTION;
EXEC msdb.dbo.sp_start_job N'Load';
go
-- @refused
ROLLBACK;
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Load', @step_name = N'x', @command = N'$(ESCAPE_SQUOTE(SRVR))';
go
-- @refused
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Load', @step_name = N'x', @command = N'dir', @subsystem = N'CMDEXEC';
go
-- @refused
EXEC msdb.dbo.sp_add_jobstep @job_name = N'Load', @step_name = N'x', @command = N'SELECT 1;', @on_success_action = 3;
EXEC msdb.dbo.sp_start_job N'Load';
go
