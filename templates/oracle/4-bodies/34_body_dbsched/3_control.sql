    procedure start_scheduler (in_here in boolean default false) is
        pragma autonomous_transaction;
        l_here varchar2(1) := case when in_here then 'Y' else 'N' end;
        l_enabled pls_integer;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('start_scheduler');
        {{.P}}base.need_settings;

        if sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY' then
            {{.P}}base.fail(20016, 'this database is a read-only standby. Connect to the primary database.');
        end if;

        select count(*) into l_enabled
        from user_queues q
        where q.name = '{{.PU}}WAKE_Q' and trim(q.enqueue_enabled) = 'YES' and trim(q.dequeue_enabled) = 'YES';

        if l_enabled = 0 then
            {{.P}}base.fail(20015, 'the queue {{.PU}}WAKE_Q is missing or stopped. Start it with dbms_aqadm.start_queue(''{{.PU}}WAKE_Q''), or install again.');
        end if;

        -- The original's schedules do not fire in a copy until somebody enables them.
        update {{.P}}schedules c
        set c.status = 'Suspended', c.reason = 'the scheduler was started in this copy of the database', c.look_at = null
        where l_here = 'Y' and c.status = 'Enabled' and exists (select 1 from {{.P}}settings s where s.settings_id = 1 and s.home <> {{.P}}base.home);

        update {{.P}}settings s
        set s.changed_at = case when s.started = 'Y' then s.changed_at else systimestamp at time zone 'UTC' end,
            s.started = 'Y',
            s.home = {{.P}}base.home,
            s.next_sweep_at = null
        where s.settings_id = 1 and (l_here = 'Y' or s.home is null or s.home = {{.P}}base.home);

        if sql%rowcount = 0 then
            {{.P}}base.fail(20019, 'this is a copy of the database or schema in which the scheduler was started, and would run its tasks a second time.'
                || ' To run them here, too: dbsched.start_scheduler(in_here => true) (dbsched start --here).');
        end if;

        {{.P}}wake.send_now;
        commit write immediate wait;

        {{.P}}control.run_dispatcher;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end start_scheduler;

    procedure stop_scheduler (in_mode in varchar2 default 'Drain') is
        pragma autonomous_transaction;
        l_mode varchar2(5) := case lower(in_mode) when 'drain' then 'Drain' when 'now' then 'Now' end;
        l_started varchar2(1);
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('stop_scheduler');

        if l_mode is null then
            {{.P}}base.fail(20008, 'in_mode must be Drain or Now.');
        end if;

        -- Claims hold this row: this waits for a running claim, and later claims read N.
        for k in (select s.started from {{.P}}settings s where s.settings_id = 1 for update wait 30) loop
            l_started := k.started;
        end loop;

        if l_started = 'Y' then
            update {{.P}}settings s
            set s.started = 'N', s.changed_at = systimestamp at time zone 'UTC'
            where s.settings_id = 1;
        end if;

        -- The dispatcher ends idle workers, then itself.
        {{.P}}wake.send_now;
        commit write immediate wait;

        {{.P}}control.switch_dispatcher;

        if l_mode = 'Now' then
            {{.P}}control.cancel_running;
        end if;

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
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
        set s.max_workers = in_max_workers, s.changed_at = systimestamp at time zone 'UTC'
        where s.settings_id = 1;

        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
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
        set s.policy = l_policy, s.changed_at = systimestamp at time zone 'UTC'
        where s.settings_id = 1;

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end set_policy;

    procedure acknowledge_alarms (in_up_to in number default null) is
        pragma autonomous_transaction;
        l_now timestamp with time zone := {{.P}}base.utc_now;
    begin
        {{.P}}base.begin_transaction;
        {{.P}}rights.require_administrator('acknowledge_alarms');

        update {{.P}}alarms a
        set a.acknowledged_at = l_now, a.acknowledged_by = sys_context('USERENV', 'SESSION_USER')
        where a.acknowledged_at is null and (in_up_to is null or a.alarm_id <= in_up_to);

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
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
    exception
        when others then
            rollback;
            raise;
    end sweep;

