    procedure store (
        in_name in varchar2,
        in_calendar in varchar2,
        in_sql in clob,
        in_tasks in clob,
        in_zone in varchar2,
        in_overlap in varchar2,
        in_missed in varchar2,
        in_on_error in varchar2,
        in_priority in number,
        in_weight in number,
        in_max_parallel in number,
        in_status in varchar2)
    is
        pragma autonomous_transaction;
        l_row {{.P}}schedules%rowtype;
        l_old {{.P}}schedules%rowtype;
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_by varchar2(128) := {{.P}}rights.submitter;
        l_new boolean := in_sql is not null or in_tasks is not null;
        l_process_id number;
        l_ids clob;
    begin
        if in_name is null or length(in_name) > 100 then
            {{.P}}base.fail(20073, 'in_name is NULL, empty or longer than 100 characters.');
        end if;
        if (in_sql is not null and in_tasks is not null) or (in_status is not null and not l_new) then
            {{.P}}base.fail(20076, 'pass either in_sql, or in_tasks: a JSON array as for exec_async_batch.');
        end if;

        l_row.overlap := case lower(in_overlap) when 'skip' then 'Skip' when 'queue' then 'Queue' when 'allow' then 'Allow' end;
        l_row.missed := case lower(in_missed) when 'once' then 'Once' when 'none' then 'None' when 'all' then 'All' end;
        if (l_row.overlap is null and in_overlap is not null) or (l_row.missed is null and in_missed is not null) then
            {{.P}}base.fail(20008, 'in_overlap must be Skip, Queue or Allow, and in_missed must be Once, None or All.');
        end if;

        {{.P}}base.begin_transaction;
        begin
            select s.* into l_old from {{.P}}schedules s where s.name = in_name for update wait 30;
            {{.P}}rights.require_owner(l_old.owner, 20072, 'schedule "' || in_name || '"');
            if in_status is not null then
                {{.P}}base.fail(20073, 'there is a schedule "' || in_name || '". Change it with alter_schedule.');
            end if;
        exception
            when no_data_found then
                if in_status is null then
                    {{.P}}base.fail(20071, 'there is no schedule "' || substrb(in_name, 1, 400) || '".');
                end if;
        end;

        l_row.calendar := nvl(in_calendar, l_old.calendar);
        l_row.tasks := in_tasks;
        l_row.zone := coalesce(in_zone, l_old.zone, 'UTC');
        l_row.on_error := coalesce(in_on_error, l_old.on_error, 'Halt');
        l_row.priority := coalesce(in_priority, l_old.priority, 0);
        l_row.weight := coalesce(in_weight, l_old.weight, 1);
        l_row.max_parallel := nullif(nvl(in_max_parallel, l_old.max_parallel), 0);
        l_row.overlap := coalesce(l_row.overlap, l_old.overlap, 'Skip');
        l_row.missed := coalesce(l_row.missed, l_old.missed, 'Once');
        l_row.next_at := l_old.next_at;
        l_row.form := l_old.form;
        if in_calendar is not null or in_zone is not null then
            l_row.form := form_of(l_row.calendar, l_row.zone, l_now);
            -- An instant that has passed does not come again, even if the clock was set back.
            l_row.next_at := next_instant(l_row.form, l_row.zone, greatest(l_now, nvl(l_old.last_at, l_now)));
        end if;

        -- The tasks are checked by enqueuing them, and rolling that back.
        savepoint checked;
        dbsched.create_process(in_name, l_process_id, in_on_error => l_row.on_error, in_priority => l_row.priority, in_weight => l_row.weight, in_max_parallel => l_row.max_parallel);
        if in_sql is not null then
            l_row.tasks := '[{"sql":"' || replace(replace(replace(replace(replace(in_sql, '\', '\\'), '"', '\"'), chr(10), '\n'), chr(13), '\r'), chr(9), '\t') || '","execution_order":1}]';
        end if;
        if l_new then
            {{.P}}enqueue.add_batch(l_row.tasks, l_process_id, l_ids);
            if dbms_lob.substr(l_ids, 2, 1) = '[]' then
                {{.P}}base.fail(20076, 'a schedule has at least one task.');
            end if;
        end if;
        rollback to checked;

        -- Who decides what runs is who it runs as.
        if in_status is not null then
            insert into {{.P}}schedules
                (schedule_id, name, calendar, form, zone, tasks, on_error, priority, weight, max_parallel, overlap, missed, status, next_at, look_at,
                 changed_at, owner, owner_os_user, owner_client)
            values
                ({{.P}}schedule_seq.nextval, in_name, l_row.calendar, l_row.form, l_row.zone, l_row.tasks, l_row.on_error, l_row.priority, l_row.weight,
                 l_row.max_parallel, l_row.overlap, l_row.missed, in_status, l_row.next_at, case when in_status = 'Enabled' then l_row.next_at end,
                 systimestamp at time zone 'UTC', l_by, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
        else
            update {{.P}}schedules s
            set s.calendar = l_row.calendar, s.form = l_row.form, s.zone = l_row.zone, s.on_error = l_row.on_error, s.priority = l_row.priority,
                s.weight = l_row.weight, s.max_parallel = l_row.max_parallel, s.overlap = l_row.overlap, s.missed = l_row.missed, s.next_at = l_row.next_at,
                s.look_at = case when s.status = 'Enabled' then least(s.look_at, l_row.next_at) end, s.changed_at = systimestamp at time zone 'UTC'
            where s.schedule_id = l_old.schedule_id;

            if l_new then
                update {{.P}}schedules s
                set s.tasks = l_row.tasks, s.owner = l_by, s.owner_os_user = substrb(sys_context('USERENV', 'OS_USER'), 1, 128),
                    s.owner_client = substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64)
                where s.schedule_id = l_old.schedule_id;
            end if;
        end if;

        -- The dispatcher counts the time until then.
        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end store;

    procedure order_schedule (in_name in varchar2, in_order in varchar2) is
        pragma autonomous_transaction;
        l_row {{.P}}schedules%rowtype;
        l_now timestamp(6) := sys_extract_utc(systimestamp);
    begin
        {{.P}}base.begin_transaction;
        begin
            select s.* into l_row from {{.P}}schedules s where s.name = in_name for update wait 30;
        exception
            when no_data_found then
                {{.P}}base.fail(20071, 'there is no schedule "' || substrb(in_name, 1, 400) || '".');
        end;
        {{.P}}rights.require_owner(l_row.owner, 20072, 'schedule "' || in_name || '"');

        if in_order = 'Run' then
            insert into {{.P}}schedule_firings (firing_id, schedule_id, name, due_at, manual, status, logged_at, owner)
            values ({{.P}}schedule_firing_seq.nextval, l_row.schedule_id, in_name, l_now, 'Y', 'Waiting', systimestamp at time zone 'UTC', l_row.owner);

            update {{.P}}schedules s set s.waiting = s.waiting + 1, s.look_at = l_now where s.schedule_id = l_row.schedule_id;
        elsif in_order = 'Enable' then
            update {{.P}}schedules s
            set s.status = 'Enabled', s.reason = null, s.look_at = case when s.waiting > 0 then l_now else s.next_at end, s.changed_at = systimestamp at time zone 'UTC'
            where s.schedule_id = l_row.schedule_id and s.status <> 'Enabled';
        else
            update {{.P}}schedule_firings f
            set f.status = 'Skipped', f.detail = case in_order when 'Drop' then 'the schedule was dropped' else 'the schedule was disabled' end
            where f.schedule_id = l_row.schedule_id and f.status = 'Waiting';

            if in_order = 'Drop' then
                delete from {{.P}}schedules s where s.schedule_id = l_row.schedule_id;
            else
                update {{.P}}schedules s
                set s.status = 'Disabled', s.look_at = null, s.waiting = 0, s.changed_at = systimestamp at time zone 'UTC'
                where s.schedule_id = l_row.schedule_id and s.status = 'Enabled';
            end if;
        end if;

        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end order_schedule;

