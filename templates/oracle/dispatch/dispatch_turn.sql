    -- The scheduler is stopped: waiting workers end, and so does the dispatcher unless it has sessions to end. Sessions in
    -- task_scheduler do not read messages; they notice the stop by themselves.
    procedure send_home (in_stay in boolean) is
        l_last number := 0;
        l_lane_id number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id > l_last and l.lane_id <= 1000 and l.state = 'Idle';

            exit when l_lane_id is null;
            l_last := l_lane_id;
            {{.P}}wake.send_lane(l_lane_id);
        end loop;

        -- Ordered but not started: withdraw the order. If the job still starts, it finds the scheduler stopped.
        update {{.P}}lanes l
        set l.state = 'Off', l.ordered_at = null, l.state_at = systimestamp at time zone '+00:00'
        where l.state = 'Starting' and l.worker_id is null;

        if not in_stay then
            update {{.P}}settings s
            set s.dispatcher_session = null, s.next_sweep_at = null
            where s.settings_id = 1;
        end if;
    end send_home;

    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2) is
        l_settings {{.P}}settings%rowtype;
        l_next_sweep timestamp with time zone;
        l_due timestamp(6);
        l_lease timestamp(6);
        l_stop timestamp(6);
        l_given varchar2(1);
        l_later varchar2(1);
        l_requests varchar2(1);
        l_again varchar2(1) := 'N';
        l_ended varchar2(1);
        l_more varchar2(1);
        l_look timestamp(6);
        l_text varchar2(2000);

        -- Seconds until a time in UTC, at most a minute, rounded up so that the item is due then. NULL: a minute.
        function seconds_until (in_at in timestamp) return number is
            l_left interval day(9) to second(6) := in_at - sys_extract_utc(systimestamp);
        begin
            return least(60, nvl(ceil(extract(day from l_left) * 86400 + extract(hour from l_left) * 3600 + extract(minute from l_left) * 60 + extract(second from l_left)), 60));
        end seconds_until;
    begin
        rollback;
        out_state := 'Go';

        -- Under the lock, stop_scheduler and start_scheduler see either a dispatcher that will look again or none.
        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1 for update wait 10;
        l_next_sweep := l_settings.next_sweep_at;

        if l_settings.started = 'N' or l_settings.version <> in_version then
            -- After a stop it still ends the attempts that must end. It counts them under the lock; a session that adds another one
            -- checks under the lock whether there is a dispatcher.
            if l_settings.version = in_version then
                select /*+ index(t (stop_utc)) */ min(t.stop_utc) into l_stop from {{.P}}tasks t where t.stop_utc is not null and t.status = 'Stopping';
            end if;
            send_home(in_stay => l_stop is not null);
            commit write immediate wait;

            if l_stop is null then
                {{.P}}control.switch_dispatcher;
                out_state := 'Stop';
                out_wait := 0;
            else
                {{.P}}control.end_attempts(l_again);
                select /*+ index(t (stop_utc)) */ min(t.stop_utc) into l_stop from {{.P}}tasks t where t.stop_utc is not null and t.status = 'Stopping';
                out_wait := case when l_again = 'Y' or l_stop is null then 0 else greatest(0, seconds_until(l_stop)) end;
                rollback;
            end if;
            return;
        end if;

        -- In a copy its rows describe the lanes and sessions of the original.
        if l_settings.home <> {{.P}}base.home then
            out_wait := 0;
            out_state := case when {{.P}}worker.is_copy(l_settings) then 'Stop' else 'Go' end;
            commit write immediate wait;
            if out_state = 'Stop' then
                return;
            end if;
        end if;

        rollback;
        apply_requests(l_requests);
        release_due;
        {{.P}}schedule.fire;
        {{.P}}resource.serve;
        assign(l_given, l_later);
        if l_given = 'Y' then
            start_lanes(l_again);
        end if;

        -- After the lanes are given, because stopping a job may take long.
        {{.P}}control.end_attempts(l_ended);

        -- Too far in the future: the clock was set back.
        if l_next_sweep is null or l_next_sweep <= systimestamp
           or l_next_sweep > systimestamp + numtodsinterval(l_settings.idle_sweep_seconds, 'SECOND') then
            l_next_sweep := {{.P}}base.utc_now + numtodsinterval(l_settings.idle_sweep_seconds, 'SECOND');

            update {{.P}}settings s set s.next_sweep_at = l_next_sweep where s.settings_id = 1;
            commit write immediate wait;

            sweep(l_more);
            -- A slice was full: the next one follows in a second, otherwise history could grow faster than it is pruned.
            if l_more = 'Y' then
                l_next_sweep := {{.P}}base.utc_now + interval '1' second;
                update {{.P}}settings s set s.next_sweep_at = l_next_sweep where s.settings_id = 1;
                commit write immediate wait;
            end if;
            assign(l_given, l_later);
            if l_given = 'Y' then
                start_lanes(l_again);
            end if;
        end if;

        select min(t.due_utc) into l_due from {{.P}}tasks t;

        select min(r.lease_utc) into l_lease from {{.P}}resource_requests r;
        select min(t.stop_utc) into l_stop from {{.P}}tasks t;
        -- Later ones can wait for the sweep: a thousand schedules cost an idle installation nothing.
        select min(s.look_at) into l_look from {{.P}}schedules s where s.look_at <= sys_extract_utc(l_next_sweep);
        out_wait := least(seconds_until(l_due), seconds_until(l_lease), seconds_until(l_stop), seconds_until(l_look));
        if 'Y' in (l_again, l_later, l_requests) then
            out_wait := least(out_wait, 1);
        end if;
        out_state := case when out_wait >= 60 and l_ended = 'N' then 'Quiet' else 'Go' end;
        out_wait := case when l_ended = 'Y' then 0 else greatest(least(out_wait, seconds_until(sys_extract_utc(l_next_sweep))), 0) end;
        rollback;
    exception
        when others then
            l_text := substrb('The dispatcher failed and tries again in five seconds: ' || dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 2000);
            rollback;
            out_wait := 5;
            out_state := 'Go';

            begin
                {{.P}}worker.alarm('DispatchError', l_text);
                commit write immediate wait;
            exception
                when others then
                    rollback;
            end;
    end turn;
