    procedure alter_schedule (
        in_name in varchar2, in_calendar in varchar2 default null, in_sql in clob default null, in_tasks in clob default null, in_zone in varchar2 default null,
        in_overlap in varchar2 default null, in_missed in varchar2 default null, in_on_error in varchar2 default null, in_weight in number default null,
        in_max_parallel in number default null, in_create in boolean default false, in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null)
    is
        pragma autonomous_transaction;
        l_row {{.P}}schedules%rowtype;
        l_old {{.P}}schedules%rowtype;
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_by varchar2(140) := {{.P}}rights.submitter;
        l_new boolean := in_sql is not null or in_tasks is not null;
        l_changed boolean := in_calendar is not null or in_zone is not null or in_begin_at is not null or in_end_at is not null;
        l_status varchar2(9) := case when in_enabled then 'Enabled' else 'Disabled' end;
        l_process_id number;
        l_ids clob;
    begin
        {{.P}}base.begin_transaction;
        if in_name is null or length(in_name) > 100 then
            {{.P}}base.fail(20073, 'in_name is NULL, empty or longer than 100 characters.');
        end if;
        if (in_sql is not null and in_tasks is not null) or (in_create and not l_new) then
            {{.P}}base.fail(20076, 'pass either in_sql, or in_tasks: a JSON array as for exec_async_batch.');
        end if;
        l_row.overlap := case lower(in_overlap) when 'skip' then 'Skip' when 'queue' then 'Queue' when 'allow' then 'Allow' end;
        l_row.missed := case lower(in_missed) when 'once' then 'Once' when 'none' then 'None' when 'all' then 'All' end;
        if (l_row.overlap is null and in_overlap is not null) or (l_row.missed is null and in_missed is not null) then
            {{.P}}base.fail(20008, 'in_overlap must be Skip, Queue or Allow, and in_missed must be Once, None or All.');
        end if;
        begin
            select s.* into l_old from {{.P}}schedules s where s.name = in_name for update wait 30;
            if in_create then
                {{.P}}base.fail(20073, 'there is a schedule "' || in_name || '". Change it with alter_schedule.');
            end if;
            {{.P}}rights.require_owner(l_old.owner, 20072, 'schedule "' || in_name || '"');
        exception
            when no_data_found then
                if not in_create then
                    {{.P}}base.fail(20071, 'there is no schedule "' || substrb(in_name, 1, 400) || '".');
                end if;
        end;
        l_row.tasks := case when in_sql is not null
                            then '[{"sql":"' || replace(replace(replace(replace(replace(in_sql, '\', '\\'), '"', '\"'), chr(10), '\n'), chr(13), '\r'), chr(9), '\t') || '","execution_order":1}' || chr(93)
                            when l_new then in_tasks else l_old.tasks end;
        l_row.form := l_old.form;
        if l_changed then
            l_row.form := {{.P}}schedule.form_of(nvl(in_calendar, l_old.calendar), coalesce(in_zone, l_old.zone, 'UTC'), l_now);
        end if;

        -- The tasks are checked by enqueuing them, and rolling that back.
        savepoint checked;
        create_process(in_name, l_process_id, in_on_error => coalesce(in_on_error, l_old.on_error, 'Halt'), in_weight => nvl(in_weight, 1),
            in_max_parallel => nullif(nvl(in_max_parallel, l_old.max_parallel), 0));
        if l_new then
            {{.P}}enqueue.add_batch(l_row.tasks, l_process_id, l_ids);
            if dbms_lob.substr(l_ids, 1, 2) = chr(93) then
                {{.P}}base.fail(20076, 'a schedule has at least one task.');
            end if;
        end if;
        rollback to checked;

        -- Only now is each known to fit its column.
        l_row.calendar := nvl(in_calendar, l_old.calendar);
        l_row.owner := case when l_new then l_by else l_old.owner end;
        l_row.zone := coalesce(in_zone, l_old.zone, 'UTC');
        l_row.on_error := coalesce(case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end, l_old.on_error, 'Halt');
        l_row.weight := coalesce(in_weight, l_old.weight, 1);
        l_row.max_parallel := nullif(nvl(in_max_parallel, l_old.max_parallel), 0);
        l_row.overlap := coalesce(l_row.overlap, l_old.overlap, 'Skip');
        l_row.missed := coalesce(l_row.missed, l_old.missed, 'Once');
        l_row.begin_at := coalesce(sys_extract_utc(in_begin_at), l_old.begin_at, l_now - interval '0.5' second); -- the column rounds
        l_row.end_at := nvl(sys_extract_utc(in_end_at), l_old.end_at);
        l_row.next_at := l_old.next_at;
        if l_changed then
            -- An instant that has passed does not come again, even if the clock was set back.
            l_row.next_at := {{.P}}schedule.next_instant(l_row.form, l_row.zone, l_row.begin_at, l_row.end_at,
                                                         greatest(l_now, nvl(l_old.last_at, l_now)));
            if l_row.next_at is null then
                {{.P}}base.fail(20074, 'the calendar never fires between in_begin_at and in_end_at.');
            end if;
        end if;

        -- Who decides what runs is who it runs as.
        if in_create then
            insert into {{.P}}schedules
                (schedule_id, name, calendar, form, zone, begin_at, end_at, tasks, on_error, weight, max_parallel, overlap, missed, status, next_at,
                 look_at, owner)
            values
                ({{.P}}schedule_seq.nextval, in_name, l_row.calendar, l_row.form, l_row.zone, l_row.begin_at, l_row.end_at, l_row.tasks,
                 l_row.on_error, l_row.weight,
                 l_row.max_parallel, l_row.overlap, l_row.missed, l_status, l_row.next_at, case when l_status = 'Enabled' then l_now end, l_by);
        else
            update {{.P}}schedules s
            set s.calendar = l_row.calendar, s.form = l_row.form, s.zone = l_row.zone, s.begin_at = l_row.begin_at, s.end_at = l_row.end_at,
                s.on_error = l_row.on_error, s.weight = l_row.weight, s.max_parallel = l_row.max_parallel,
                s.overlap = l_row.overlap, s.missed = l_row.missed, s.next_at = l_row.next_at,
                s.look_at = case s.status when 'Enabled' then l_now else s.look_at end, s.tasks = l_row.tasks, s.owner = l_row.owner
            where s.schedule_id = l_old.schedule_id;
        end if;

        -- The dispatcher counts the time until then.
        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when dup_val_on_index then -- somebody has just made it
            {{.P}}base.fail(20073, 'there is a schedule "' || in_name || '". Change it with alter_schedule.');
    end alter_schedule;

    -- Enable, Disable, Run or Drop.
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
            values ({{.P}}schedule_firing_seq.nextval, l_row.schedule_id, in_name, sys_extract_utc(systimestamp), 'Y', 'Waiting',
                    systimestamp at time zone '+00:00', l_row.owner);
            update {{.P}}schedules s set s.waiting = s.waiting + 1, s.look_at = l_now where s.schedule_id = l_row.schedule_id;
        elsif in_order = 'Enable' then
            update {{.P}}schedules s set s.status = 'Enabled', s.reason = null, s.look_at = l_now
            where s.schedule_id = l_row.schedule_id and s.status <> 'Enabled';
        else
            update {{.P}}schedule_firings f
            set f.status = 'Skipped', f.detail = case in_order when 'Drop' then 'the schedule was dropped' else 'the schedule was disabled' end
            where f.schedule_id = l_row.schedule_id and f.status = 'Waiting';
            if in_order = 'Drop' then
                delete from {{.P}}schedules s where s.schedule_id = l_row.schedule_id;
            else
                update {{.P}}schedules s set s.status = case s.status when 'Enabled' then 'Disabled' else s.status end, s.look_at = null, s.waiting = 0
                where s.schedule_id = l_row.schedule_id;
            end if;
        end if;
        {{.P}}wake.send_now;
        commit write immediate wait;
    end order_schedule;

    procedure create_schedule (
        in_name in varchar2, in_calendar in varchar2, in_sql in clob default null, in_tasks in clob default null, in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip', in_missed in varchar2 default 'Once', in_on_error in varchar2 default 'Halt', in_weight in number default 1,
        in_max_parallel in number default null, in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null)
    is
    begin
        alter_schedule(in_name, in_calendar, in_sql, in_tasks, in_zone, in_overlap, in_missed, in_on_error, in_weight, in_max_parallel, true,
                       in_enabled, in_begin_at, in_end_at);
    end create_schedule;

    procedure set_schedule_enabled (in_name in varchar2, in_enabled in boolean) is
    begin
        if in_enabled is null then
            {{.P}}base.fail(20003, 'in_enabled is NULL.');
        end if;
        order_schedule(in_name, case when in_enabled then 'Enable' else 'Disable' end);
    end set_schedule_enabled;

    procedure run_schedule (in_name in varchar2) is
    begin
        order_schedule(in_name, 'Run');
    end run_schedule;

    procedure drop_schedule (in_name in varchar2) is
    begin
        order_schedule(in_name, 'Drop');
    end drop_schedule;

    procedure run_firing (in_firing_id in number) is
        l_task {{.P}}tasks%rowtype := {{.P}}rights.current_task;
        l_row {{.P}}schedules%rowtype;
        l_firing {{.P}}schedule_firings%rowtype;
        l_process_id number;
        l_ids clob;
    begin
        begin
            select f.* into l_firing from {{.P}}schedule_firings f where f.firing_id = in_firing_id and f.task_id = l_task.task_id;
        exception
            when no_data_found then
                {{.P}}base.fail(20078, 'run_firing is for the task of a firing. To start a schedule now, call run_schedule.');
        end;
        begin
            select s.* into l_row from {{.P}}schedules s where s.schedule_id = l_firing.schedule_id;
        exception
            when no_data_found then
                return; -- it was dropped
        end;
        -- What its new owner wrote must not run in the name of the old one.
        if not {{.P}}rights.same_user(l_row.owner, l_task.enqueued_by) then
            {{.P}}base.fail(20072, 'the schedule has another owner since it fired. To start it now, as the new owner, call run_schedule.');
        end if;
        create_process(
            l_firing.name || ' ' || to_char(nvl({{.P}}schedule.local_time(l_firing.due_at, l_row.zone), l_firing.due_at), 'YYYY-MM-DD HH24:MI'),
            l_process_id, in_on_error => l_row.on_error, in_max_parallel => l_row.max_parallel);
        {{.P}}enqueue.add_batch(l_row.tasks, l_process_id, l_ids);
        -- The weight was allowed when the schedule was made or changed, maybe by an administrator.
        update {{.P}}processes p
        set p.weight = l_row.weight, p.status = 'Closing', p.close_requested = 'Y', p.schedule_id = l_row.schedule_id, p.firing_id = in_firing_id
        where p.process_id = l_process_id;
    end run_firing;

    function next_instants (
        in_calendar in varchar2, in_zone in varchar2 default 'UTC', in_after in timestamp default null, in_count in number default 10,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null) return varchar2
    is
        l_at timestamp(6) := nvl(in_after, sys_extract_utc(systimestamp));
        l_begin timestamp(0) := nvl(sys_extract_utc(in_begin_at), l_at - interval '0.5' second);
        l_form varchar2(1000) := {{.P}}schedule.form_of(in_calendar, in_zone, l_begin);
        l_list varchar2(4000);
    begin
        {{.P}}base.need_whole('in_count', in_count, 1, 100);
        for i in 1 .. in_count loop
            l_at := {{.P}}schedule.next_instant(l_form, in_zone, l_begin, sys_extract_utc(in_end_at), l_at);
            exit when l_at is null;
            l_list := l_list || case when i > 1 then ',' end || chr(34) || to_char(l_at, 'YYYY-MM-DD') || 'T' || to_char(l_at, 'HH24:MI:SS') || chr(34);
        end loop;
        return '[' || l_list || chr(93);
    end next_instants;

