    procedure call_hook (in_alarm_id in number, in_process_id in number) is
        l_task_id number;
    begin
        -- An alarm about the hook's own tasks must not call it again, and a closed process accepts no tasks.
        for h in (
            select p.process_id, s.alarm_hook, s.alarm_hook_by, s.alarm_hook_by_os_user, s.alarm_hook_by_client
            from {{.P}}settings s
            inner join {{.P}}processes p on p.process_id = s.alarm_hook_process_id
            where s.settings_id = 1 and s.alarm_hook is not null and p.status = 'Open' and (in_process_id is null or p.process_id <> in_process_id)
        ) loop
            l_task_id := {{.P}}task_seq.nextval;
            {{.P}}wake.send(h.process_id, 0, {{.P}}base.claim_key(0, 0, l_task_id));

            insert into {{.P}}tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, sql_text, max_attempts, retry_delay_seconds, timeout_seconds,
                 on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client)
            values
                (l_task_id, h.process_id, 0, 0, 0, 'Pending', 'begin ' || h.alarm_hook || '(in_alarm_id => ' || in_alarm_id || '); end;', 3, 60, 300,
                 'Retry', systimestamp at time zone '+00:00', h.alarm_hook_by, h.alarm_hook_by_os_user, h.alarm_hook_by_client);
        end loop;
    exception
        -- The alarm itself remains. 1013: the caller was interrupted.
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
    end call_hook;
