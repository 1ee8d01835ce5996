declare
    -- The dispatcher's job. Disabled until start_scheduler; then it repeats every minute, so that the engine restarts it after a
    -- crash. A run lasts until the scheduler is stopped, or for twelve hours and until nothing is due: what the engine keeps for a call
    -- is given back only at its end. A turn takes 200 messages, or 10,000 while there are more: each
    -- transaction that enqueued while the scheduler was stopped left one.
    co_job constant varchar2(30) := '{{.PU}}DISPATCHER';
    co_action constant varchar2(4000) := q'[declare
    l_state varchar2(5);
    l_wait number;
    l_taken pls_integer := 0;
    l_most pls_integer := 200;
    l_until timestamp with time zone := systimestamp + interval '12' hour;
    l_options dbms_aq.dequeue_options_t;
    l_properties dbms_aq.message_properties_t;
    l_payload raw(32);
    l_message_id raw(16);
    e_no_message exception; pragma exception_init(e_no_message, -25228);
    e_no_more exception; pragma exception_init(e_no_more, -25237);
begin
    execute immediate 'alter session set current_schema = {{.Owner}}';
    execute immediate 'begin {{.P}}dispatch.enter(:1); end;' using out l_state;
    l_options.dequeue_mode := dbms_aq.remove;
    l_options.visibility := dbms_aq.on_commit;
    while l_state <> 'Stop' loop
        execute immediate 'begin {{.P}}dispatch.turn(:1, :2, :3); end;' using in {{.VersionLit}}, out l_wait, out l_state;
        exit when l_state = 'Stop' or (l_state = 'Quiet' and l_taken = 0 and systimestamp > l_until);
        l_options.wait := l_wait;
        l_options.navigation := dbms_aq.first_message;
        l_most := case when l_taken < l_most then 200 else 10000 end;
        l_taken := 0;
        begin
            loop
                dbms_aq.dequeue('{{.Owner}}.{{.PU}}WAKE_Q', l_options, l_properties, l_payload, l_message_id);
                l_taken := l_taken + 1;
                exit when l_taken >= l_most;
                l_options.wait := dbms_aq.no_wait;
                l_options.navigation := dbms_aq.next_message;
            end loop;
        exception
            when e_no_message or e_no_more then null;
        end;
        commit write immediate wait;
    end loop;
    execute immediate 'begin {{.P}}dispatch.leave; end;';
exception
    when others then
        execute immediate 'begin {{.P}}dispatch.leave; end;';
        raise;
end;]';
    l_action varchar2(4000);
begin
    select max(j.job_action) into l_action from user_scheduler_jobs j where j.job_name = co_job;

    if l_action is null then
        dbms_scheduler.create_job(
            job_name => co_job,
            job_type => 'PLSQL_BLOCK',
            job_action => co_action,
            repeat_interval => 'FREQ=MINUTELY',
            enabled => false,
            auto_drop => false,
            comments => 'dbsched: reads wake-ups and gives lanes to runnable tasks');
    elsif l_action <> co_action then
        -- For its next run; a current run ends when it reads the new version.
        dbms_scheduler.set_attribute(name => co_job, attribute => 'job_action', value => co_action);
    end if;
end;
