declare
    -- Stops the scheduler, then all of its sessions. To let running tasks finish, wait for them first.
    l_count pls_integer;
begin
    select count(*) into l_count from user_objects o where o.object_name = 'DBSCHED' and o.object_type = 'PACKAGE BODY' and o.status = 'VALID';
    if l_count > 0 then
        begin
            execute immediate 'begin dbsched.stop_scheduler(''Now''); end;';
        exception
            -- An incomplete installation: the statements below stop it, too.
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
                -- 27366: not running; 27365: ending, but not ended yet; 27475, 27476: it is gone.
                if sqlcode not in (-27365, -27366, -27475, -27476) then
                    raise;
                end if;

                if sqlcode = -27365 then
                    begin
                        dbms_scheduler.stop_job(job_name => r.job_name, force => true);
                    exception
                        -- 27486: force needs MANAGE SCHEDULER. The next step handles jobs that still run.
                        when others then
                            if sqlcode not in (-27365, -27366, -27475, -27476, -27486) then
                                raise;
                            end if;
                    end;
                end if;
        end;
    end loop;
end;
