create or replace package body {{.P}}admin as
    procedure set_options (
        in_linger_seconds in number,
        in_idle_sweep_seconds in number,
        in_retention_days in number,
        in_max_retry_delay_seconds in number,
        in_max_orphans in number)
    is
        pragma autonomous_transaction;
        l_locked number;
        l_now timestamp with time zone := systimestamp at time zone 'UTC';
    begin
        {{.P}}base.begin_transaction;
        {{.P}}base.need_whole('in_linger_seconds', in_linger_seconds, 0, 3600, true);
        {{.P}}base.need_whole('in_idle_sweep_seconds', in_idle_sweep_seconds, 1, 86400, true);
        {{.P}}base.need_whole('in_retention_days', in_retention_days, 1, 36500, true);
        {{.P}}base.need_whole('in_max_retry_delay_seconds', in_max_retry_delay_seconds, 0, 86400, true);
        {{.P}}base.need_whole('in_max_orphans', in_max_orphans, 0, 100, true);
        if coalesce(in_linger_seconds, in_idle_sweep_seconds, in_retention_days, in_max_retry_delay_seconds, in_max_orphans) is null then
            {{.P}}base.fail(20003, 'name at least one option and its value.');
        end if;

        select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        -- The next sweep was planned with the pause as it was.
        update {{.P}}settings s
        set s.linger_seconds = nvl(in_linger_seconds, s.linger_seconds),
            s.idle_sweep_seconds = nvl(in_idle_sweep_seconds, s.idle_sweep_seconds),
            s.retention_days = nvl(in_retention_days, s.retention_days),
            s.max_retry_delay_seconds = nvl(in_max_retry_delay_seconds, s.max_retry_delay_seconds),
            s.max_orphans = nvl(in_max_orphans, s.max_orphans),
            s.next_sweep_at = least(s.next_sweep_at, l_now + numtodsinterval(nvl(in_idle_sweep_seconds, s.idle_sweep_seconds), 'SECOND')),
            s.changed_at = l_now
        where s.settings_id = 1;

        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end set_options;

    procedure prune (in_cutoff in timestamp with time zone, out_rows out number, out_full out varchar2) is
        type t_ids is table of number;
        l_ids t_ids;
        l_at timestamp with time zone;
        l_id number;

        -- Small slices, so that neither locks nor undo grow.
        procedure count_slice (in_rows in number) is
        begin
            out_rows := out_rows + in_rows;
            if in_rows = 500 then
                out_full := 'Y';
            end if;
            commit write immediate wait;
            {{.P}}base.begin_transaction;
        end count_slice;
    begin
        out_rows := 0;
        out_full := 'N';

        -- What is being tried again is left alone: retry_process takes those tasks in an order of its own (ORA-00060).
        select t.task_id bulk collect into l_ids
        from {{.P}}tasks t
        where t.finished_at < in_cutoff and rownum <= 500
        for update skip locked;

        forall i in 1 .. l_ids.count
            delete from {{.P}}tasks t where t.task_id = l_ids(i);

        count_slice(l_ids.count);

        delete from {{.P}}processes p
        where p.finished_at < in_cutoff and p.process_id <> 1 and p.running = 0
          and not exists (select 1 from {{.P}}tasks t where t.unfinished_process_id = p.process_id)
          and rownum <= 500;
        count_slice(sql%rowcount);

        -- Numbers rise with time: when the oldest row is young, there is nothing to do. Among the oldest are attempts that still run,
        -- never as many as a slice.
        select min(g.log_id) into l_id from {{.P}}logs g;
        select max(g.started_at) into l_at from {{.P}}logs g where g.log_id = l_id;
        if l_at < in_cutoff then
            delete from {{.P}}logs g
            where g.ended_at < in_cutoff
              and g.log_id in (select o.log_id from (select i.log_id from {{.P}}logs i order by i.log_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;

        select min(a.alarm_id) into l_id from {{.P}}alarms a;
        select max(a.raised_at) into l_at from {{.P}}alarms a where a.alarm_id = l_id;
        if l_at < in_cutoff then
            delete from {{.P}}alarms a
            where a.raised_at < in_cutoff
              and a.alarm_id in (select o.alarm_id from (select i.alarm_id from {{.P}}alarms i order by i.alarm_id) o where rownum <= 500);
            count_slice(sql%rowcount);
        end if;
    end prune;

    procedure purge (in_days in number, out_rows out number) is
        pragma autonomous_transaction;
        l_days number;
        l_cutoff timestamp with time zone;
        l_rows number;
        l_full varchar2(1);
    begin
        {{.P}}base.begin_transaction;
        {{.P}}base.need_whole('in_days', in_days, 0, 36500, true);

        select nvl(in_days, s.retention_days) into l_days from {{.P}}settings s where s.settings_id = 1;
        l_cutoff := (systimestamp at time zone 'UTC') - numtodsinterval(l_days, 'DAY');
        out_rows := 0;

        -- Until nothing goes any more, and not until a slice is not full: among the oldest 500 attempts may be one that runs.
        loop
            prune(l_cutoff, l_rows, l_full);
            out_rows := out_rows + l_rows;
            exit when l_rows = 0;
        end loop;

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end purge;

    -- The name as it stands in a block, checked by compiling a call: a block is not run by being parsed. The text cannot be
    -- anything but a name.
    function hook_name (in_procedure in varchar2) return varchar2 is
        l_cursor integer;
        l_name varchar2(400);
        l_why varchar2(500);
    begin
        l_name := dbms_assert.qualified_sql_name(trim(in_procedure));
        if instr(l_name, '@') > 0 then
            {{.P}}base.fail(20060, 'in_procedure is in another database.');
        end if;

        l_cursor := dbms_sql.open_cursor;
        dbms_sql.parse(l_cursor, 'begin ' || l_name || '(in_alarm_id => 1); end;', dbms_sql.native);
        dbms_sql.close_cursor(l_cursor);
        return l_name;
    exception
        when others then
            l_why := substrb(sqlerrm, 1, 500);
            if l_cursor is not null and dbms_sql.is_open(l_cursor) then
                dbms_sql.close_cursor(l_cursor);
            end if;
            {{.P}}base.fail(20060, 'in_procedure must be a procedure that {{.Owner}} may execute and that has a parameter in_alarm_id: ' || l_why);
    end hook_name;

    procedure set_alarm_hook (in_procedure in varchar2) is
        pragma autonomous_transaction;
        l_hook varchar2(400);
        l_submitter varchar2(128) := {{.P}}rights.submitter;
        l_os_user varchar2(128) := substrb(sys_context('USERENV', 'OS_USER'), 1, 128);
        l_client varchar2(64) := substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64);
        l_old_hook varchar2(400);
        l_old_by varchar2(128);
        l_old_process number;
        l_process_id number;
        l_open pls_integer;
        l_unfinished pls_integer;
        l_now timestamp with time zone := systimestamp at time zone 'UTC';
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

        -- The same again changes nothing, unless somebody has ended the process.
        if l_hook = l_old_hook and l_old_by = l_submitter and l_open = 1 then
            commit write immediate wait;
            return;
        end if;

        -- One at a time: a hook that hangs costs one worker.
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

        -- What the hook before had still to say, it says.
        if l_unfinished = 1 then
            insert into {{.P}}process_requests (request_id, process_id, action, requested_at)
            values ({{.P}}request_seq.nextval, l_old_process, 'Close', l_now);
            {{.P}}wake.send_now;
        end if;

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end set_alarm_hook;

    procedure call_hook (in_alarm_id in number, in_process_id in number) is
        l_hook varchar2(400);
        l_process_id number;
        l_by varchar2(128);
        l_os_user varchar2(128);
        l_client varchar2(64);
        l_open pls_integer;
    begin
        select s.alarm_hook, s.alarm_hook_process_id, s.alarm_hook_by, s.alarm_hook_by_os_user, s.alarm_hook_by_client
        into l_hook, l_process_id, l_by, l_os_user, l_client
        from {{.P}}settings s
        where s.settings_id = 1;

        -- An alarm about the hook's own tasks must not call it again, and a process that was closed takes none.
        if l_hook is null or l_process_id = in_process_id then
            return;
        end if;

        select count(*) into l_open from {{.P}}processes p where p.process_id = l_process_id and p.status = 'Open';
        if l_open = 0 then
            return;
        end if;

        insert into {{.P}}tasks
            (task_id, process_id, execution_order, priority, expected_seconds, status, sql_text, max_attempts, retry_delay_seconds, timeout_seconds,
             on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client)
        values
            ({{.P}}task_seq.nextval, l_process_id, 0, 0, 0, 'Pending', 'begin ' || l_hook || '(in_alarm_id => ' || to_char(in_alarm_id) || '); end;', 3, 60, 300,
             'Retry', systimestamp at time zone 'UTC', l_by, l_os_user, l_client);

        {{.P}}wake.send_now;
    exception
        -- The alarm itself stands. 1013: the caller has been interrupted.
        when others then
            if sqlcode = -1013 then
                raise;
            end if;
    end call_hook;

    -- Refuses whom nothing can be granted to, or revoked from.
    procedure check_user (in_user in varchar2) is
        l_runner varchar2(128);
        l_count pls_integer;
    begin
        select s.runner into l_runner from {{.P}}settings s where s.settings_id = 1;
        if l_runner is null then
            {{.P}}base.fail(20066, 'this is installed without a runner: tasks run with all rights of {{.Owner}}, so whoever may enqueue them could do anything as '
                || '{{.Owner}}. Install with a runner to let others enqueue.');
        end if;

        select count(*) into l_count from all_users u where u.username = in_user;
        if l_count = 0 then
            {{.P}}base.fail(20066, 'there is no user ' || nvl(in_user, 'NULL') || '.');
        elsif in_user in ({{.OwnerLit}}, l_runner) then
            {{.P}}base.fail(20066, in_user || ' is ' || case in_user when l_runner then 'the runner, as whom tasks run' else 'the owner' end || '.');
        end if;
    end check_user;

    procedure on_views (in_statement in varchar2) is
    begin
        for v in (select w.view_name
                  from user_views w
                  where w.view_name in ({{list 40 .ViewNames}})
                  order by w.view_name)
        loop
            begin
                execute immediate replace(in_statement, '%', v.view_name);
            exception
                when others then
                    -- 1927: it was not granted; 942: the user has none of them.
                    if sqlcode not in (-1927, -942) then
                        raise;
                    end if;
            end;
        end loop;
    end on_views;

    procedure grant_user (in_user in varchar2, in_administrator in varchar2) is
        l_name varchar2(140);
    begin
        check_user(in_user);
        l_name := dbms_assert.enquote_name(in_user, false);
        execute immediate 'grant execute on dbsched to ' || l_name;
        on_views('grant read on % to ' || l_name);

        delete from {{.P}}administrators a where a.user_name = in_user and in_administrator = 'N';
        insert into {{.P}}administrators (user_name, granted_at, granted_by)
        select in_user, systimestamp at time zone 'UTC', sys_context('USERENV', 'SESSION_USER')
        from dual
        where in_administrator = 'Y' and not exists (select 1 from {{.P}}administrators a where a.user_name = in_user);

        commit write immediate wait;
    end grant_user;

    procedure revoke_user (in_user in varchar2) is
        l_name varchar2(140);
    begin
        check_user(in_user);
        l_name := dbms_assert.enquote_name(in_user, false);
        delete from {{.P}}administrators a where a.user_name = in_user;
        commit write immediate wait;

        begin
            execute immediate 'revoke execute on dbsched from ' || l_name;
        exception
            when others then
                if sqlcode not in (-1927, -942) then
                    raise;
                end if;
        end;

        on_views('revoke read on % from ' || l_name);
    end revoke_user;
end {{.P}}admin;
