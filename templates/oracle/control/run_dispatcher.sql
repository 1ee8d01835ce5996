    procedure switch_dispatcher is
        l_before varchar2(1);

        e_no_job exception; pragma exception_init(e_no_job, -27475);
        e_no_such_job exception; pragma exception_init(e_no_such_job, -27476);

        -- Y = the engine must start the dispatcher again if its session dies: after a stop as long as it has attempts to end.
        function wanted return varchar2 is
            l_wanted varchar2(1);
        begin
            select case when exists (select 1 from {{.P}}settings s where s.settings_id = 1 and s.started = 'Y')
                             or exists (select /*+ index(t (stop_utc)) */ 1 from {{.P}}tasks t where t.stop_utc is not null and t.status = 'Stopping')
                        then 'Y' else 'N' end
            into l_wanted from dual;
            return l_wanted;
        end wanted;
    begin
        -- ENABLE and DISABLE commit, so a lock of ours cannot order a concurrent start and stop. Instead, the session that changed the
        -- job last checks again.
        loop
            l_before := wanted;

            if l_before = 'Y' then
                dbms_scheduler.enable(name => '{{.Owner}}.{{.PU}}DISPATCHER');
            else
                -- The current run continues; no further one is planned. Disabling a disabled job does nothing.
                begin
                    dbms_scheduler.disable(name => '{{.Owner}}.{{.PU}}DISPATCHER', force => true);
                exception
                    -- The job was dropped: there is nothing to stop. The error number depends on the release.
                    when e_no_job or e_no_such_job then
                        null;
                end;
            end if;

            exit when wanted = l_before;
        end loop;
    end switch_dispatcher;

    procedure run_dispatcher is
        l_session varchar2(24);
        l_text varchar2(1000);
    begin
        -- While the job is enabled, the engine restarts it after a crash.
        switch_dispatcher;

        for i in 1 .. 50 loop
            {{.P}}base.begin_transaction;
            -- Under the lock: a dispatcher that ends has recorded it by now, or will see what the caller has committed.
            select s.dispatcher_session into l_session from {{.P}}settings s where s.settings_id = 1 for update wait 30;
            commit write immediate wait;
            exit when l_session is not null and not {{.P}}worker.lane_dead(0);

            begin
                -- RUN_JOB starts it without waiting for its next minute, and even if it is disabled. RUN_JOB commits.
                dbms_scheduler.run_job(job_name => '{{.Owner}}.{{.PU}}DISPATCHER', use_current_session => false);
                exit;
            exception
                -- The last run is just ending, or the engine was faster.
                when {{.P}}base.e_running then
                    dbms_session.sleep(0.1);
            end;
        end loop;
    exception
        when others then
            l_text := substrb(sqlerrm, 1, 1000);
            rollback;
            {{.P}}base.fail(20015, 'the dispatcher''s job could not be started. It starts once the database''s job queue works: check parameter job_queue_processes and scheduler attribute SCHEDULER_DISABLED. ' || l_text);
    end run_dispatcher;
