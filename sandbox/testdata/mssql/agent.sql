-- Jobs of SQL Server Agent with schedules, as the documentation's examples make them.
-- https://learn.microsoft.com/en-us/ssms/agent/create-a-job
USE msdb; EXEC dbo.sp_add_job @job_name = N'Weekly Sales Data Backup';
--> ok
EXEC sp_add_jobstep @job_name = N'Weekly Sales Data Backup', @step_name = N'Set database to read only', @subsystem = N'TSQL',
    @command = N'ALTER DATABASE SALES SET READ_ONLY', @retry_attempts = 5, @retry_interval = 5;
--> ok
EXEC dbo.sp_add_schedule @schedule_name = N'RunOnce', @freq_type = 1, @active_start_time = 233000;
--> ok
EXEC sp_attach_schedule @job_name = N'Weekly Sales Data Backup', @schedule_name = N'RunOnce';
--> ok
EXEC dbo.sp_add_jobserver @job_name = N'Weekly Sales Data Backup';
--> ok
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/dbo-sysschedules-transact-sql
SELECT name, enabled, freq_type, freq_interval, freq_subday_type, freq_relative_interval, freq_recurrence_factor, active_end_date, active_start_time, active_end_time FROM dbo.sysschedules;
--> RunOnce | 1 | 1 | 1 | 0 | 0 | 0 | 99991231 | 233000 | 235959
SELECT CASE WHEN active_start_date = CONVERT(int, CONVERT(char(8), GETDATE(), 112)) THEN 'today' END FROM dbo.sysschedules;
--> today
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/dbo-sysjobsteps-transact-sql
SELECT step_id, step_name, subsystem, command, on_success_action, on_fail_action, database_name, retry_attempts, retry_interval, proxy_id FROM dbo.sysjobsteps;
--> 1 | Set database to read only | TSQL | ALTER DATABASE SALES SET READ_ONLY | 1 | 2 | master | 5 | 5 | NULL
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/dbo-sysjobschedules-transact-sql
SELECT j.name, c.name, js.next_run_time FROM dbo.sysjobschedules AS js INNER JOIN dbo.sysjobs AS j ON j.job_id = js.job_id INNER JOIN dbo.sysschedules AS c ON c.schedule_id = js.schedule_id;
--> Weekly Sales Data Backup | RunOnce | 233000
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/dbo-sysjobservers-transact-sql
SELECT server_id FROM dbo.sysjobservers;
--> 0
SELECT COUNT(*) FROM dbo.sysoperators; SELECT COUNT(*) FROM dbo.sysproxies;
--> 0
--> ----
--> 0
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-start-job-transact-sql
EXEC dbo.sp_start_job N'Weekly Sales Data Backup';
--> refused starting a job with a step that has retries
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-update-job-transact-sql
EXEC dbo.sp_update_job @job_name = N'Weekly Sales Data Backup', @enabled = 0; SELECT enabled FROM dbo.sysjobs;
--> 0
EXEC dbo.sp_update_job @job_name = N'no job', @enabled = 0;
--> error: 14262
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-attach-schedule-transact-sql
EXEC dbo.sp_attach_schedule @job_name = N'Weekly Sales Data Backup', @schedule_name = N'no schedule';
--> error: 14262
EXEC sp_add_job @job_name = N'BackupDatabase'; EXEC sp_add_jobstep @job_name = N'BackupDatabase', @step_name = N's', @command = N'SELECT 1';
--> ok
EXEC sp_add_jobserver @job_name = N'BackupDatabase'; EXEC sp_add_schedule @schedule_name = N'NightlyJobs', @freq_type = 4, @freq_interval = 1, @active_start_time = 010000;
--> ok
EXEC sp_attach_schedule @job_name = N'BackupDatabase', @schedule_name = N'NightlyJobs';
--> ok
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-add-schedule-transact-sql
EXEC dbo.sp_add_schedule @schedule_name = N'Idle', @freq_type = 128;
--> refused @freq_type = 128
EXEC dbo.sp_add_schedule @schedule_name = N'SecondWeeks', @freq_type = 8, @freq_interval = 2, @freq_recurrence_factor = 2;
--> refused @freq_recurrence_factor = 2
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-add-jobstep-transact-sql
EXEC sp_add_job @job_name = N'Copy'; EXEC sp_add_jobstep @job_name = N'Copy', @step_name = N'c', @subsystem = N'CmdExec', @command = N'dir';
--> ok
EXEC sp_add_jobserver @job_name = N'Copy'; EXEC sp_start_job N'Copy';
--> refused the subsystem CmdExec
-- https://learn.microsoft.com/en-us/sql/t-sql/functions/current-timezone-id-transact-sql
SELECT CURRENT_TIMEZONE_ID();
--> UTC
-- A schedule runs its job: every ten minutes, counted from active_start_time.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-add-schedule-transact-sql
CREATE TABLE dbo.Often (At datetime NOT NULL);
--> ok
EXEC dbo.sp_add_job @job_name = N'Often'; EXEC dbo.sp_add_jobstep @job_name = N'Often', @step_name = N'one', @database_name = N'msdb', @command = N'INSERT INTO dbo.Often (At) VALUES (GETDATE());';
--> ok
EXEC dbo.sp_add_schedule @schedule_name = N'Every ten minutes', @freq_type = 4, @freq_interval = 1, @freq_subday_type = 4, @freq_subday_interval = 10, @active_start_time = 000300;
--> ok
EXEC dbo.sp_attach_schedule @job_name = N'Often', @schedule_name = N'Every ten minutes'; EXEC dbo.sp_add_jobserver @job_name = N'Often';
--> ok
SELECT js.next_run_time % 1000 FROM dbo.sysjobschedules AS js INNER JOIN dbo.sysjobs AS j ON j.job_id = js.job_id WHERE j.name = N'Often';
--> 300
WAITFOR DELAY '00:40:00';
--> ok
SELECT COUNT(*), COUNT(CASE WHEN DATEPART(minute, At) % 10 = 3 THEN 1 END) FROM dbo.Often;
--> 4 | 4
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/dbo-sysjobhistory-transact-sql
SELECT COUNT(*), COUNT(CASE WHEN h.message LIKE N'The job succeeded.%Schedule%(Every ten minutes)%' THEN 1 END), MIN(h.run_status) FROM dbo.sysjobhistory AS h INNER JOIN dbo.sysjobs AS j ON j.job_id = h.job_id WHERE j.name = N'Often' AND h.step_id = 0;
--> 4 | 4 | 1
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/dbo-sysjobactivity-transact-sql
SELECT a.run_requested_source, CASE WHEN a.next_scheduled_run_date > a.stop_execution_date THEN 'later' END FROM dbo.sysjobactivity AS a INNER JOIN dbo.sysjobs AS j ON j.job_id = a.job_id WHERE j.name = N'Often';
--> 1 | later
-- A disabled job does not run by its schedule.
-- https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-update-job-transact-sql
EXEC dbo.sp_update_job @job_name = N'Often', @enabled = 0; WAITFOR DELAY '00:40:00';
--> ok
SELECT COUNT(*) FROM dbo.Often;
--> 4
