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
