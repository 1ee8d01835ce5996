begin
    -- Drops dbsched's jobs, also those in a runner's schema. Force stops those that still run.
    for r in (select j.owner || '.' || j.job_name as job_name
              from all_scheduler_jobs j
              where (j.owner = {{.OwnerLit}} and (j.job_name = '{{.PU}}DISPATCHER' or regexp_like(j.job_name, '^{{.PU}}LANE_[0-9][0-9]$')))
                 or (j.owner <> {{.OwnerLit}} and regexp_like(j.job_name, '^{{.PU}}LANE_[0-9][0-9]$')
                     and j.comments = 'dbsched: worker slot ' || ltrim(substr(j.job_name, -2), '0') || ' of {{.Owner}}')
              order by j.owner, j.job_name)
    loop
        dbms_scheduler.drop_job(job_name => r.job_name, force => true);
    end loop;
end;
