begin
    -- Drops our jobs; force stops what still runs.
    for r in (select j.job_name
              from user_scheduler_jobs j
              where j.job_name = '{{.PU}}DISPATCHER' or regexp_like(j.job_name, '^{{.PU}}LANE_[0-9][0-9]$')
              order by j.job_name)
    loop
        dbms_scheduler.drop_job(job_name => r.job_name, force => true);
    end loop;
end;
