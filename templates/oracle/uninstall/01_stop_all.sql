declare
    -- Stops the scheduler, then every session of ours. Whoever wants running tasks to finish has waited for them before.
    l_count pls_integer;
begin
    select count(*) into l_count from user_objects o where o.object_name = 'DBSCHED' and o.object_type = 'PACKAGE BODY' and o.status = 'VALID';
    if l_count > 0 then
        begin
            execute immediate 'begin dbsched.stop_scheduler(''Now''); end;';
        exception
            -- An installation that came only half way: what follows stops it, too.
            when others then
                rollback;
        end;
    end if;

    for r in (select j.owner || '.' || j.job_name as job_name
              from all_scheduler_jobs j
              where (j.owner = {{.OwnerLit}} and (j.job_name = '{{.PU}}DISPATCHER' or regexp_like(j.job_name, '^{{.PU}}LANE_[0-9][0-9]$')))
                 or (j.owner <> {{.OwnerLit}} and regexp_like(j.job_name, '^{{.PU}}LANE_[0-9][0-9]$')
                     and j.comments = 'dbsched: worker slot ' || ltrim(substr(j.job_name, -2), '0') || ' of {{.Owner}}')
              order by j.owner, j.job_name)
    loop
        begin
            dbms_scheduler.disable(name => r.job_name, force => true);
            dbms_scheduler.stop_job(job_name => r.job_name, force => false);
        exception
            when others then
                -- 27366: it does not run; 27365: it has been told to end, and takes its time; 27475, 27476: it is gone.
                if sqlcode not in (-27365, -27366, -27475, -27476) then
                    raise;
                end if;

                if sqlcode = -27365 then
                    begin
                        dbms_scheduler.stop_job(job_name => r.job_name, force => true);
                    exception
                        -- 27486: that takes MANAGE SCHEDULER. What does not end now is met by the next step.
                        when others then
                            if sqlcode not in (-27365, -27366, -27475, -27476, -27486) then
                                raise;
                            end if;
                    end;
                end if;
        end;
    end loop;
end;
