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
