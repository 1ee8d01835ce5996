declare
    -- The jobs of the worker slots, one for each lane. They have no schedule and stay disabled: the dispatcher runs them with RUN_JOB.
{{- if .Runner}}
    -- They belong to the runner, which creates them and allows the owner to run, stop and change them.
{{- end}}
    -- A job with the same text is not changed; install/surplus drops jobs of higher numbers.
    co_lanes constant pls_integer := {{len .Lanes}};
    -- -1 is replaced by the number of the lane.
    co_action constant varchar2(4000) := q'[declare
    co_lane constant pls_integer := -1;
    co_do constant varchar2(140) := 'begin {{.Q}}';
    l_worker varchar2(32);
    l_counted number;
    l_result varchar2(10);
    l_waited varchar2(1) := 'N';
    l_again varchar2(1) := 'N';
    l_renew varchar2(1);
    l_lost varchar2(1);
    l_until timestamp with time zone := systimestamp + interval '1' hour;
    -- The attempt, and how it ended.
    l_task number;
    l_log number;
    l_sql clob;
    l_values clob;
    l_transactional varchar2(1);
    l_rows number;
    l_error number;
    l_text varchar2(4000);
    l_trace varchar2(4000);
begin
{{- if not .Runner}}
    execute immediate 'alter session set current_schema = {{.Owner}}';
{{- end}}
    execute immediate co_do || 'lane.enter(:1, :2); end;' using in co_lane, out l_worker;
    if l_worker is null then return; end if;
    loop
        execute immediate co_do || 'lane.claim(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11, :12); end;'
            using in co_lane, in l_worker, in {{.VersionLit}}, in l_waited, in l_rows, in out l_counted, in out l_task, in out l_log,
                  out l_result, out l_sql, out l_values, out l_transactional;
        if l_result = 'Task' then
            execute immediate co_do || 'run.run(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11, :12); end;'
                using in l_worker, in l_task, in l_log, in l_sql, in l_values, in l_transactional,
                      out l_result, out l_rows, out l_error, out l_text, out l_trace, out l_renew;
            l_waited := 'N';
            l_again := case when l_renew = 'Y' or systimestamp > l_until then 'Y' else 'N' end;
            continue when l_result = 'Succeeded' and l_again = 'N';
        end if;
        if l_result not in ('Idle', 'Leave', 'Stopped', 'Limit') then
            if l_result <> 'Recorded' then
                execute immediate co_do || 'lane.complete(:1, :2, :3, :4, :5, :6, :7, :8, :9, :10); end;'
                    using in co_lane, in l_worker, in l_task, in l_log, in l_result, in l_rows, in l_error, in l_text, in l_trace, out l_lost;
                if l_lost = 'Y' then l_again := 'Y'; end if;
            end if;
            exit when l_again = 'Y';
            l_task := null;
        elsif l_result = 'Idle' then
            execute immediate co_do || 'lane.wait(:1, :2, :3); end;' using in co_lane, in l_worker, out l_waited;
        else
            if l_result = 'Limit' then l_again := 'Y'; end if;
            exit;
        end if;
    end loop;
    execute immediate co_do || 'lane.leave(:1, :2, :3); end;' using in co_lane, in l_worker, in l_again;
exception
    when others then
        l_text := substrb(dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 1500);
        execute immediate co_do || 'lane.failed(:1, :2, :3); end;' using in co_lane, in l_worker, in l_text;
end;]';
    l_job varchar2(30);
    l_action varchar2(4000);
    l_installed varchar2(4000);
begin
    for i in 1 .. co_lanes loop
        l_job := '{{.PU}}LANE_' || to_char(i, 'FM00');
        l_action := replace(co_action, ':= -1;', ':= ' || i || ';');
        select max(j.job_action) into l_installed from all_scheduler_jobs j where j.owner = {{.JobOwnerLit}} and j.job_name = l_job;

        if l_installed is null then
{{- if .Runner}}
            if sys_context('USERENV', 'SESSION_USER') <> {{.JobOwnerLit}} then
                raise_application_error(-20063, 'dbsched 20063: the job ' || l_job || ' is missing, and only {{.Runner}} can create it.'
                    || ' Install with --runner-dsn, or have that user run the output of dbsched render --runner {{.Runner}} --as-runner.');
            end if;
{{end}}
            -- auto_drop false: otherwise a job without a schedule is dropped after its run. Not restartable: dbsched decides about retries.
            dbms_scheduler.create_job(
                job_name => '{{.JobOwner}}.' || l_job,
                job_type => 'PLSQL_BLOCK',
                job_action => l_action,
                enabled => false,
                auto_drop => false,
                comments => 'dbsched: worker slot ' || i{{if .Runner}} || ' of {{.Owner}}'{{end}});
        elsif l_installed <> l_action then
            dbms_scheduler.set_attribute(name => '{{.JobOwner}}.' || l_job, attribute => 'job_action', value => l_action);
        end if;
{{- if .Runner}}

        if sys_context('USERENV', 'SESSION_USER') = {{.JobOwnerLit}} then
            execute immediate 'grant alter on ' || l_job || ' to {{.Owner}}';
        end if;
{{- end}}
    end loop;
end;
