    procedure task_scheduler (in_waiting_time in number default 30) is
        l_started varchar2(1);

        -- The worker.
        l_lane_id number := 1000;
        l_worker_id varchar2(32);
        l_counted number;
        l_result varchar2(10);
        l_renew varchar2(1);
        l_lost varchar2(1) := 'N';
        l_idle_since timestamp with time zone := systimestamp;

        -- Its attempt, and how that ended.
        l_task_id number;
        l_log_id number;
        l_sql clob;
        l_parameters clob;
        l_transactional varchar2(1);
        l_rows number;
        l_error number;
        l_message varchar2(4000);
        l_backtrace varchar2(4000);

        -- What the session had set.
        l_language varchar2(200);
        l_formats varchar2(2000);
        l_identifier varchar2(64) := sys_context('USERENV', 'CLIENT_IDENTIFIER');
        l_module varchar2(64);
        l_action varchar2(64);
        l_info varchar2(64);

        -- Undoes what tasks set, as far as it can be read. Language and territory first: they set the others.
        procedure restore_session is
        begin
            execute immediate 'alter session set' || l_language;
            execute immediate 'alter session set' || l_formats;
            dbms_session.set_identifier(l_identifier);
            dbms_application_info.set_module(l_module, l_action);
            dbms_application_info.set_client_info(l_info);
        end restore_session;
    begin
{{- if .Runner}}
        -- Here DS_RUN would have the owner's rights, whoever the caller is.
        {{.P}}base.fail(20048, 'tasks run as {{.Runner}}, but task_scheduler would run them in this session.');
{{- else}}
        if sys_context('USERENV', 'SESSION_USER') <> sys_context('USERENV', 'CURRENT_USER') then
            {{.P}}base.fail(20048, 'task_scheduler runs tasks in the calling session, so only {{.Owner}} can call it.');
        end if;
{{- end}}

        refuse_transaction('task_scheduler');

        {{.P}}base.need_whole('in_waiting_time', in_waiting_time, 0, 86400);

        if own_process is not null then
            {{.P}}base.fail(20017, 'a task cannot become a worker.');
        end if;

        select s.started into l_started from {{.P}}settings s where s.settings_id = 1;
        if l_started = 'N' then
            {{.P}}base.fail(20014, 'the scheduler is stopped. Call start_scheduler first'
                || ' (and set_workers(0) if this session should be the only worker).');
        end if;

        for x in (select n.parameter, ' ' || n.parameter || ' = ''' || replace(n.value, '''', '''''') || '''' as setting
                  from nls_session_parameters n where n.parameter not in ('NLS_TIME_FORMAT', 'NLS_TIME_TZ_FORMAT') order by n.parameter) loop
            l_language := l_language || case when x.parameter in ('NLS_LANGUAGE', 'NLS_TERRITORY') then x.setting end;
            l_formats := l_formats || case when x.parameter not in ('NLS_LANGUAGE', 'NLS_TERRITORY') then x.setting end;
        end loop;
        l_formats := l_formats || ' time_zone = ''' || sessiontimezone || '''';
        dbms_application_info.read_module(l_module, l_action);
        dbms_application_info.read_client_info(l_info);

        -- As before each task: after waiting for the settings row, the session must see what its holder did.
        execute immediate 'alter session set isolation_level = read committed';

        while l_worker_id is null loop
            l_lane_id := l_lane_id + 1;
            if l_lane_id > 1064 then
                {{.P}}base.fail(20018, '64 sessions already run task_scheduler.');
            end if;

            -- Two sessions may try the same number; the one that gets its lock has it.
            begin
                insert into {{.P}}lanes (lane_id, state, state_at) values (l_lane_id, 'Off', systimestamp at time zone '+00:00');
            exception
                when dup_val_on_index then
                    null;
            end;
            commit write immediate wait;

            {{.P}}worker.enter(l_lane_id, 0, l_worker_id);
        end loop;

        begin
            loop
                {{.P}}worker.claim(l_lane_id, l_worker_id, {{.VersionLit}}, 'N', l_rows, l_counted, l_task_id, l_log_id,
                                   l_result, l_sql, l_parameters, l_transactional);

                if l_result = 'Task' then
                    {{.P}}run.run(l_worker_id, l_task_id, l_log_id, l_sql, l_parameters, l_transactional,
                                  l_result, l_rows, l_error, l_message, l_backtrace, l_renew);
                    l_idle_since := systimestamp;
                    continue when l_result = 'Succeeded' and l_renew = 'N';
                end if;
                if l_result not in ('Idle', 'Leave', 'Stopped', 'Limit') then
                    if l_result <> 'Recorded' then
                        {{.P}}worker.complete(l_worker_id, l_task_id, l_log_id, l_result, l_rows, l_error, l_message, l_backtrace, l_lost);
                    end if;
                    exit when l_lost = 'Y' or l_renew = 'Y';
                    l_task_id := null;
                elsif l_result = 'Idle' then
                    exit when systimestamp >= l_idle_since + numtodsinterval(in_waiting_time, 'SECOND');
                    dbms_session.sleep(0.2);
                else
                    exit;
                end if;
            end loop;

            {{.P}}worker.leave(l_lane_id, l_worker_id, nvl(l_renew, 'N'));
        exception
            when others then
                l_message := substrb(sqlerrm, 1, 1500);
                {{.P}}worker.failed(l_lane_id, l_worker_id, l_message);
                restore_session;
                raise;
        end;
        restore_session;
    end task_scheduler;
