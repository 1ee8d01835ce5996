    -- Reads a job's state from the dictionary. A job of another schema is visible to users that can alter it.
    procedure look_at_job (in_owner in varchar2, in_name in varchar2, out_job out job_state) is
    begin
        select count(*), count(case when j.state = 'RUNNING' then 1 end), max(j.run_count), max(j.last_start_date)
        into out_job
        from all_scheduler_jobs j
        where j.owner = in_owner and j.job_name = in_name;
    end look_at_job;

    -- Whether the job of a firing has run since it was ordered: it runs, its run count is higher, or it is gone (auto_drop) and its
    -- log shows the run.
    function has_run (in_firing in {{.P}}round_firings%rowtype) return boolean is
        l_job job_state;
        l_logged pls_integer;
    begin
        look_at_job(in_firing.job_owner, in_firing.job_name, l_job);

        if l_job.jobs > 0 then
            return l_job.running > 0 or l_job.runs > in_firing.runs_before
                or (l_job.started_at is not null and in_firing.started_before is null) or l_job.started_at > in_firing.started_before;
        end if;

        select count(*) into l_logged
        from all_scheduler_job_run_details e
        where e.owner = in_firing.job_owner and e.job_name = in_firing.job_name and e.actual_start_date >= in_firing.ordered_at and rownum <= 1;

        return l_logged > 0;
    end has_run;
