declare
    -- Removes lanes above the installed number. A job that still runs is dropped by the next installation after its end.
    co_lanes constant pls_integer := {{len .Lanes}};
    l_job varchar2(160);
    l_jobs pls_integer;

    e_running exception; pragma exception_init(e_running, -27478);
begin
    for i in co_lanes + 1 .. 99 loop
        l_job := '{{.PU}}LANE_' || to_char(i, 'FM00');
        select count(*) into l_jobs from all_scheduler_jobs j where j.owner = {{.JobOwnerLit}} and j.job_name = l_job{{if .Runner}} and j.comments = 'dbsched: worker slot ' || i || ' of {{.Owner}}'{{end}};

        if l_jobs > 0 then
            begin
                dbms_scheduler.drop_job(job_name => '{{.JobOwner}}.' || l_job, force => false);
            exception
                when e_running then
                    null;
            end;
        end if;
    end loop;

    -- A Starting lane no longer has a job: the dispatcher would try to run it every second forever.
    delete from {{.P}}lanes l where l.lane_id > co_lanes and l.lane_id <= 99 and l.state in ('Off', 'Starting') and l.worker_id is null;
    commit write immediate wait;
end;
