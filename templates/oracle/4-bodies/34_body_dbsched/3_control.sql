    -- An exception that leaves an autonomous transaction rolls it back.
    procedure start_scheduler (in_here in boolean default false, in_moved in boolean default false, in_also_on in varchar2 default null) is
        pragma autonomous_transaction;
        l_settings {{.P}}settings%rowtype;
        l_home varchar2(400) := {{.P}}base.home;
        l_enabled pls_integer;
        l_copy boolean;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('start_scheduler');
        {{.P}}base.need_settings;

        if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
            {{.P}}base.fail(20016, 'this database is a read-only standby. Connect to the primary database.');
        end if;

        select count(*) into l_enabled
        from user_queues q
        where q.name in ('{{.PU}}WAKE_Q', '{{.PU}}LANE_Q') and trim(q.enqueue_enabled) = 'YES' and trim(q.dequeue_enabled) = 'YES';

        if l_enabled < 2 then
            {{.P}}base.fail(20015, 'the queue {{.PU}}WAKE_Q or {{.PU}}LANE_Q is missing or stopped. Start it with dbms_aqadm.start_queue, or install again.');
        end if;

        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        if {{.P}}base.place(l_settings.home, l_settings.home_guid, l_settings.also_on) <> 'Copy' then
            l_copy := {{.P}}worker.is_copy(l_settings); -- raises the alarm of a move
        elsif not nvl(in_moved, false) then
            if not nvl(in_here, false) then
                {{.P}}base.fail(20019, 'this is a copy of the database or schema in which the scheduler was started, and would run its tasks a'
                    || ' second time. If it moved: dbsched.start_scheduler(in_moved => true) (dbsched start --moved).'
                    || ' To run them here, too: dbsched.start_scheduler(in_here => true) (dbsched start --here).');
            end if;

            -- The original's schedules do not fire in a copy until somebody enables them.
            l_settings.also_on := null;
            update {{.P}}schedules c
            set c.status = 'Suspended', c.reason = 'the scheduler was started in this copy of the database', c.look_at = null
            where c.status = 'Enabled';
        end if;

        -- With this database, so that the way back is open, too.
        if in_also_on is not null then
            l_settings.also_on := case when in_also_on <> '-' then
                regexp_substr(l_home, '[^/]+') || ',' || upper(replace(in_also_on, ' ')) end;
        end if;

        update {{.P}}settings s
        set s.changed_at = case when s.started = 'Y' then s.changed_at else systimestamp at time zone '+00:00' end,
            s.started = 'Y',
            s.home = l_home, s.home_guid = {{.P}}base.container_guid, s.also_on = l_settings.also_on,
            s.next_sweep_at = null
        where s.settings_id = 1;

        {{.P}}wake.send_now;
        commit write immediate wait;

        {{.P}}control.run_dispatcher;
        commit write immediate wait;
    end start_scheduler;

    procedure stop_scheduler (in_mode in varchar2 default 'Drain') is
        pragma autonomous_transaction;
        l_mode varchar2(5) := case lower(in_mode) when 'drain' then 'Drain' when 'now' then 'Now' end;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('stop_scheduler');

        if l_mode is null then
            {{.P}}base.fail(20008, 'in_mode must be Drain or Now.');
        end if;

        -- Claims hold this row: this waits for a running claim, and later claims read N.
        for k in (select s.settings_id from {{.P}}settings s where s.settings_id = 1 for update wait 30) loop
            update {{.P}}settings s
            set s.started = 'N', s.changed_at = systimestamp at time zone '+00:00'
            where s.settings_id = k.settings_id and s.started = 'Y';
        end loop;

        -- The dispatcher ends idle workers, then itself.
        {{.P}}wake.send_now;
        commit write immediate wait;

        if l_mode = 'Now' then
            {{.P}}control.cancel_running;
        end if;

        {{.P}}control.switch_dispatcher;
        commit write immediate wait;
    end stop_scheduler;

    procedure cancel_task (in_task_id in number) is
    begin
        if in_task_id is null then
            {{.P}}base.fail(20024, 'in_task_id is NULL.');
        end if;

        {{.P}}control.order_cancel(in_task_id);
    end cancel_task;

    procedure cancel_process (in_process_id in number) is
    begin
        if in_process_id in (0, 1) then
            {{.P}}base.fail(20013, 'processes 0 (of schedules) and 1 (the default process) never end.');
        end if;

        {{.P}}control.order_cancel(null, in_process_id);
    end cancel_process;

    procedure retry_task (in_task_id in number) is
    begin
        if in_task_id is null then
            {{.P}}base.fail(20024, 'in_task_id is NULL.');
        end if;

        {{.P}}control.order_retry(in_task_id);
    end retry_task;

    procedure retry_process (in_process_id in number) is
    begin
        {{.P}}control.order_retry(null, in_process_id);
    end retry_process;

    procedure set_workers (in_max_workers in number) is
        pragma autonomous_transaction;
        l_max_lanes number;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('set_workers');
        {{.P}}base.need_settings;

        {{.P}}base.need_whole('in_max_workers', in_max_workers, 0, 9999);

        select s.max_lanes into l_max_lanes from {{.P}}settings s where s.settings_id = 1 for update wait 30;

        if in_max_workers > l_max_lanes then
            {{.P}}base.fail(20009, in_max_workers || ' workers need as many lanes, but ' || l_max_lanes || ' are installed. Install again with more lanes.');
        end if;

        update {{.P}}settings s
        set s.max_workers = in_max_workers, s.changed_at = systimestamp at time zone '+00:00'
        where s.settings_id = 1;

        {{.P}}wake.send_now;
        commit write immediate wait;
    end set_workers;

    procedure set_policy (in_policy in varchar2) is
        pragma autonomous_transaction;
        l_policy varchar2(10) := case lower(in_policy) when 'fifo' then 'Fifo' when 'priority' then 'Priority' when 'roundrobin' then 'RoundRobin' end;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('set_policy');
        {{.P}}base.need_settings;

        if l_policy is null then
            {{.P}}base.fail(20008, 'in_policy must be Fifo, Priority or RoundRobin.');
        end if;

        update {{.P}}settings s
        set s.policy = l_policy, s.changed_at = systimestamp at time zone '+00:00'
        where s.settings_id = 1;

        commit write immediate wait;
    end set_policy;

    procedure acknowledge_alarms (in_up_to in number default null, in_alarm_id in number default null) is
        pragma autonomous_transaction;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('acknowledge_alarms');

        update {{.P}}alarms a
        set a.acknowledged_at = systimestamp at time zone '+00:00', a.acknowledged_by = sys_context('USERENV', 'SESSION_USER')
        where a.acknowledged_at is null and a.alarm_id between nvl(in_alarm_id, 0) and coalesce(in_alarm_id, in_up_to, a.alarm_id);

        commit write immediate wait;
    end acknowledge_alarms;

    procedure sweep is
        pragma autonomous_transaction;
        l_more varchar2(1);
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('sweep');

        {{.P}}dispatch.sweep(l_more);
        -- A slice was full: the dispatcher goes on.
        update {{.P}}settings s set s.next_sweep_at = null where s.settings_id = 1 and l_more = 'Y';
        {{.P}}wake.send_now;
        commit write immediate wait;
    end sweep;

