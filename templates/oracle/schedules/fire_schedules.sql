    -- Deals with one schedule that is due; the caller has locked process 0 and the schedule, and commits.
    procedure fire_one (in_row in {{.P}}schedules%rowtype, in_now in timestamp) is
        type t_due is record (due_at timestamp(6), fires boolean, late boolean, detail varchar2(200));
        type t_dues is table of t_due index by pls_integer;
        l_dues t_dues;
        l_next timestamp(0) := in_row.next_at;
        l_last timestamp(0) := in_row.last_at;
        l_waiting number := in_row.waiting;
        l_last_firing number := in_row.last_firing_id;
        l_busy pls_integer;
        l_barred varchar2(100) := {{.P}}rights.barred(in_row.owner);
        l_fires boolean := false;
        l_nth pls_integer := 0;
        l_status varchar2(7);
        l_starts number;
        l_firing_id number;
        l_task_id number;

        procedure suspend (in_reason in varchar2) is
        begin
            update {{.P}}schedules s set s.status = 'Suspended', s.reason = in_reason,
                s.look_at = case when l_barred is null and s.waiting > 0 then in_now end
            where s.schedule_id = in_row.schedule_id;
            {{.P}}worker.alarm('ScheduleSuspended', 'The schedule "' || in_row.name || '" is suspended: ' || in_reason || ', then enable it.',
                in_user => in_row.owner);
        end suspend;
    begin
        if l_barred is not null then
            suspend('its owner ' || {{.P}}rights.name_of(in_row.owner) || ' ' || l_barred || '. Have another user alter its tasks');
            return;
        end if;

        begin
            -- The rules of a time zone may have changed since the instant was found; hence look_at is at most a day ahead.
            if in_row.status = 'Enabled' and l_next > in_now then
                l_next := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, greatest(in_now, nvl(l_last, in_now)));
            end if;

            -- A firing is late after a minute: the scheduler was stopped or down, or the schedule was not enabled.
            while in_row.status = 'Enabled' and l_next <= in_now loop
                l_nth := l_dues.count + 1;
                l_dues(l_nth).due_at := l_next;
                l_dues(l_nth).late := l_next < in_now - interval '60' second;
                l_dues(l_nth).fires := not l_dues(l_nth).late or in_row.missed = 'All';
                l_last := l_next;
                l_next := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_last);

                -- More than 100: the last ones count, and one row stands for the others.
                if l_nth = 100 and l_next <= in_now and l_dues(1).detail is null then
                    l_last := last_instants(in_row, l_dues(1).due_at, in_now, case in_row.missed when 'All' then 100 else 1 end);
                    l_dues.delete(2, 100);
                    l_dues(1).fires := false;
                    l_dues(1).detail := 'and all others until ' || to_char(l_last, 'YYYY-MM-DD HH24:MI:SS') || ' UTC';
                    l_next := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_last);
                end if;
            end loop;
        exception
            when others then
                if sqlcode <> -1882 then
                    raise;
                end if;
                -- A time zone that the database no longer knows.
                suspend(substrb(sqlerrm, 1, 300) || '. Alter its calendar or time zone');
                return;
        end;
        for i in 1 .. l_dues.count loop
            l_fires := l_fires or l_dues(i).fires;
        end loop;

        -- Once: the last of the missed firings, unless another fires now.
        if in_row.missed = 'Once' and l_dues.count > 0 and not l_fires then
            l_dues(l_dues.count).fires := true;
            l_dues(l_dues.count).detail := case when l_dues.count > 1 then 'for all that were missed' end;
        end if;

        -- A process, and the end of the task that makes it, are one transaction, and a query sees all of it or nothing.
        select count(*) into l_busy
        from (select p.process_id from {{.P}}processes p where p.open_schedule_id = in_row.schedule_id union all
              select t.task_id from {{.P}}tasks t where t.unfinished_key between in_row.schedule_id || '@' and in_row.schedule_id || '@9999999999999999999' and t.unfinished_key like in_row.schedule_id || '@%' and t.process_id = 0)
        where rownum <= 1;

        -- Skip has room for one firing, Queue for two; what All makes up for waits in any case.
        l_nth := 0;
        for i in 1 .. l_dues.count loop
            if not l_dues(i).fires then
                l_status := 'Missed';
            else
                l_nth := l_nth + 1;
                l_status := case when in_row.overlap = 'Allow' or (l_dues(i).late and in_row.missed = 'All')
                                      or in_row.waiting + l_busy + l_nth <= case in_row.overlap when 'Queue' then 2 else 1 end then 'Waiting' else 'Skipped' end;
            end if;
            l_waiting := l_waiting + case l_status when 'Waiting' then 1 else 0 end;
            insert into {{.P}}schedule_firings (firing_id, schedule_id, name, due_at, manual, status, detail, logged_at, owner)
            values ({{.P}}schedule_firing_seq.nextval, in_row.schedule_id, in_row.name, l_dues(i).due_at, 'N', l_status, l_dues(i).detail,
                    systimestamp at time zone '+00:00', in_row.owner);
        end loop;
        l_starts := case when in_row.overlap = 'Allow' then l_waiting when l_busy = 1 or l_waiting = 0 then 0 else 1 end;
        for i in 1 .. l_starts loop
            select f.firing_id into l_firing_id from {{.P}}schedule_firings f
            where f.schedule_id = in_row.schedule_id and f.status = 'Waiting' order by f.firing_id fetch first 1 row only;
            l_task_id := {{.P}}task_seq.nextval;
            update {{.P}}schedule_firings f set f.status = 'Started', f.task_id = l_task_id where f.firing_id = l_firing_id;
            insert into {{.P}}tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, sql_text, max_attempts, retry_delay_seconds, on_orphan, transactional,
                 dedup_key, enqueued_at, enqueued_by)
            values
                (l_task_id, 0, 0, 0, 0, 'Pending', 'begin {{if .Runner}}{{.Owner}}.{{end}}dbsched.run_firing(' || l_firing_id || '); end;',
                 3, 10, 'Retry', 'Y', in_row.schedule_id || '@' || l_firing_id, systimestamp at time zone '+00:00', in_row.owner);
            l_waiting := l_waiting - 1;
            l_last_firing := l_firing_id;
        end loop;
        update {{.P}}schedules s
        set s.next_at = l_next, s.look_at = case when s.status = 'Enabled' then least(l_next, in_now + interval '1' day) end, s.last_at = l_last,
            s.waiting = l_waiting, s.last_firing_id = l_last_firing
        where s.schedule_id = in_row.schedule_id;
        update {{.P}}processes p set p.has_work = 'Y' where p.process_id = 0 and l_starts > 0;
    end fire_one;

    procedure fire is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_look timestamp(6);
        l_id number;
        l_held varchar2(1);
        l_text varchar2(2000);
    begin
        -- What is left is due, so the next turn follows at once.
        for i in 1 .. 100 loop
            select min(s.look_at) into l_look from {{.P}}schedules s where s.look_at <= l_now;
            exit when l_look is null;
            select min(s.schedule_id) into l_id from {{.P}}schedules s where s.look_at = l_look;

            -- Process 0 before the schedule: the lock order.
            {{.P}}base.begin_transaction;
            {{.P}}base.lock_process(0, l_held);
            exit when l_held = 'Y';
            begin
                for r in (select s.* from {{.P}}schedules s where s.schedule_id = l_id and s.look_at <= l_now for update wait 5) loop
                    fire_one(r, l_now);
                end loop;
            exception
                when {{.P}}base.e_held or {{.P}}base.e_busy then
                    rollback;
                    l_held := 'Y';
                when others then -- one schedule must not keep the dispatcher from the rest
                    l_text := substrb('Schedule ' || l_id || ' cannot fire, and is tried again in a minute: ' || sqlerrm, 1, 2000);
                    rollback;
                    update {{.P}}schedules s set s.look_at = l_now + interval '1' minute where s.schedule_id = l_id and s.look_at <= l_now;
                    {{.P}}worker.alarm('ScheduleFailed', l_text);
            end;
            commit write immediate wait;
            exit when l_held = 'Y';
        end loop;
    end fire;
