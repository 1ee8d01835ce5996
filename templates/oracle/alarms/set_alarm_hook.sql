    -- The hook's name for use in a block, checked by parsing a call; parsing does not run a block. QUALIFIED_SQL_NAME accepts only
    -- a name.
    function hook_name (in_procedure in varchar2) return varchar2 is
        l_cursor integer;
        l_name varchar2(400);
    begin
        l_name := dbms_assert.qualified_sql_name(trim(in_procedure));
        if instr(l_name, '@') > 0 then
            {{.P}}base.fail(20060, 'in_procedure names a procedure in another database; name a local one.');
        end if;

        l_cursor := dbms_sql.open_cursor;
        dbms_sql.parse(l_cursor, 'begin ' || l_name || '(in_alarm_id => 1); end;', dbms_sql.native);
        dbms_sql.close_cursor(l_cursor);
        return l_name;
    exception
        when others then
            if sqlcode = -20060 then
                raise;
            end if;
            if l_cursor is not null and dbms_sql.is_open(l_cursor) then
                dbms_sql.close_cursor(l_cursor);
            end if;
            {{.P}}base.fail(20060, 'in_procedure must be a procedure that {{.Owner}} may execute and that has a parameter in_alarm_id: '
                            || substrb(sqlerrm, 1, 500));
    end hook_name;

    procedure set_alarm_hook (in_procedure in varchar2) is
        pragma autonomous_transaction;
        l_hook varchar2(400);
        l_submitter varchar2(140) := {{.P}}rights.submitter;
        l_os_user varchar2(128) := substrb(sys_context('USERENV', 'OS_USER'), 1, 128);
        l_client varchar2(64) := substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64);
        l_old_hook varchar2(400);
        l_old_by varchar2(140);
        l_old_process number;
        l_process_id number;
        l_open pls_integer;
        l_unfinished pls_integer;
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
    begin
        {{.P}}base.begin_transaction;
        if in_procedure is not null then
            l_hook := hook_name(in_procedure);
        end if;

        select s.alarm_hook, s.alarm_hook_by, s.alarm_hook_process_id into l_old_hook, l_old_by, l_old_process
        from {{.P}}settings s
        where s.settings_id = 1
        for update wait 30;

        select count(case when p.status = 'Open' and p.close_requested = 'N' then 1 end), count(case when p.finished_at is null then 1 end)
        into l_open, l_unfinished
        from {{.P}}processes p
        where p.process_id = l_old_process;

        -- Setting the same hook again changes nothing, unless its process has ended.
        if l_hook = l_old_hook and l_old_by = l_submitter and l_open = 1 then
            commit write immediate wait;
            return;
        end if;

        -- One call at a time: a hook that hangs blocks only one worker.
        if l_hook is not null then
            l_process_id := {{.P}}process_seq.nextval;

            insert into {{.P}}processes
                (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
            values
                (l_process_id, 'alarm hook', 'Open', 1000000, 1, 1, 'Continue', l_now, l_submitter, l_os_user, l_client);
        end if;

        update {{.P}}settings s
        set s.alarm_hook = l_hook,
            s.alarm_hook_process_id = l_process_id,
            s.alarm_hook_by = case when l_hook is not null then l_submitter end,
            s.alarm_hook_by_os_user = case when l_hook is not null then l_os_user end,
            s.alarm_hook_by_client = case when l_hook is not null then l_client end,
            s.changed_at = l_now
        where s.settings_id = 1;

        -- Pending calls of the previous hook still run.
        if l_unfinished = 1 then
            insert into {{.P}}process_requests (request_id, process_id, action, requested_at)
            values ({{.P}}request_seq.nextval, l_old_process, 'Close', l_now);
            {{.P}}wake.send_now;
        end if;

        commit write immediate wait;
    end set_alarm_hook;
