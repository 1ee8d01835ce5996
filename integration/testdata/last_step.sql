-- The published last step of jobs 1a to 1d, retold: it looks whether the others have ended, and have ended well, and then
-- starts job 2. A step that finds that it is not the last one fails, which ends its job with success.
declare @others table (job_id uniqueidentifier, name nvarchar(128));
declare @session int, @n int, @now datetime = getutcdate();
select @session = max(session_id) from msdb.dbo.syssessions;
insert @others (job_id, name)
    select job_id, name from msdb.dbo.sysjobs where name like N'Job 1[a-d]' and name <> N'$(ESCAPE_SQUOTE(JOBNAME))';
if @@rowcount <> 3
    raiserror('Wrong number of jobs found.', 11, 1);
else
begin
    select @n = count(*) from @others as o
    where exists (select 1 from msdb.dbo.sysjobactivity as a
                  where a.job_id = o.job_id and a.session_id = @session and a.start_execution_date >= dateadd(minute, -720, @now) and a.stop_execution_date is null);
    if @n > 0
        raiserror('%d job(s) still running.', 11, 1, @n);
    else
    begin
        select @n = count(*) from @others as o
        inner join (select job_id, max(instance_id) as instance_id from msdb.dbo.sysjobhistory where run_status = 1 and step_id = 0 group by job_id) as h on h.job_id = o.job_id
        inner join msdb.dbo.sysjobactivity as a on a.job_id = o.job_id and a.job_history_id = h.instance_id
        where a.start_execution_date >= dateadd(minute, -720, @now) and a.stop_execution_date >= dateadd(minute, -60, @now);
        if @n <> 3
            raiserror('Only %d job(s) completed.', 11, 1, @n);
        else
        begin
            exec msdb.dbo.sp_start_job @job_name = N'Job 2';
            waitfor delay '00:00:10';
            if not exists (select 1 from msdb.dbo.sysjobs as j inner join msdb.dbo.sysjobactivity as a on a.job_id = j.job_id
                           where j.name = N'Job 2' and a.start_execution_date >= dateadd(minute, -5, @now) and a.stop_execution_date is null)
                raiserror('%s is not running!', 11, 1, N'Job 2');
        end;
    end;
end;
