    function lock_id (in_lane_id in number) return integer is
        l_base number;
    begin
        select s.lock_base into l_base from {{.P}}settings s where s.settings_id = 1;
        return l_base + in_lane_id;
    end lock_id;

    -- Requests SS mode, which conflicts only with X, so that two checks do not block each other and a starting lane hardly waits.
    function lock_free (in_lane_id in number) return boolean is
        l_id integer := lock_id(in_lane_id);
        l_result integer;
    begin
        l_result := dbms_lock.request(id => l_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);

        if l_result = 0 then
            l_result := dbms_lock.release(id => l_id);
            return true;
        end if;

        -- 1: another session has it; 4: this session has it; anything else does not prove that the worker is dead.
        return false;
    end lock_free;

    function session_gone (in_session_key in varchar2) return boolean is
    begin
        return in_session_key is null or not dbms_session.is_session_alive(in_session_key);
    end session_gone;

    function lane_dead (in_lane_id in number) return boolean is
        l_key varchar2(24);
    begin
        if not lock_free(in_lane_id) then
            return false;
        end if;

        if in_lane_id = 0 then
            select max(s.dispatcher_session) into l_key from {{.P}}settings s where s.settings_id = 1;
        else
            select max(l.session_key) into l_key from {{.P}}lanes l where l.lane_id = in_lane_id;
        end if;

        -- A task can release the lock by its number; its session would still exist.
        return session_gone(l_key);
    end lane_dead;

    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2) is
        l_result integer;
    begin
        l_result := dbms_lock.request(id => lock_id(in_lane_id), lockmode => dbms_lock.x_mode, timeout => in_seconds, release_on_commit => false);
        -- 4: this session already has it.
        out_held := case when l_result in (0, 4) then 'Y' else 'N' end;
    end take_lock;

    procedure release_lock (in_lane_id in number) is
        l_result integer;
    begin
        l_result := dbms_lock.release(id => lock_id(in_lane_id));
    end release_lock;
