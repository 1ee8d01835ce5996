    procedure enter (in_lane_id in number, in_seconds in number, out_worker_id out varchar2) is
        l_held varchar2(1);
        l_key varchar2(24);
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_worker_id varchar2(32);
    begin
        rollback;
        take_lock(in_lane_id, in_seconds, l_held);
        if l_held = 'N' then
            return;
        end if;

        select max(l.session_key) into l_key from {{.P}}lanes l where l.lane_id = in_lane_id;
        if l_key <> l_me and not session_gone(l_key) then
            alarm('LaneHeld', 'The worker of lane ' || in_lane_id || ' lost its lock, but its session still exists.'
                || ' No other worker uses the lane until that session ends.', in_lane_id => in_lane_id);
            commit write immediate wait;
            release_lock(in_lane_id);
            return;
        end if;

        -- A task could guess a plain SYS_GUID, because it can create its own.
        select substr(rawtohex(standard_hash(s.salt || rawtohex(sys_guid()), 'SHA256')), 1, 32) into l_worker_id
        from {{.P}}settings s
        where s.settings_id = 1;

        recover(in_lane_id, l_worker_id);

        update {{.P}}lanes l
        set l.worker_id = l_worker_id,
            l.session_id = to_number(sys_context('USERENV', 'SID')),
            l.instance_id = to_number(sys_context('USERENV', 'INSTANCE')),
            l.session_key = l_me,
            l.entered_at = systimestamp at time zone '+00:00',
            l.submitter = null
        where l.lane_id = in_lane_id;

        if sql%rowcount = 0 then
            -- The lane was taken away in the meantime, or its last session, which called task_scheduler, has just removed the row.
            rollback;
            release_lock(in_lane_id);
            return;
        end if;

        commit write immediate wait;
        out_worker_id := l_worker_id;
    end enter;
