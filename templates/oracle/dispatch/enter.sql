    procedure enter (out_state out varchar2) is
        l_held varchar2(1);
        l_me varchar2(24) := dbms_session.unique_session_id;
    begin
        rollback;
        {{.P}}worker.take_lock(0, 5, l_held);
        if l_held = 'N' then
            out_state := 'Stop';
            return;
        end if;

        update {{.P}}settings s
        set s.dispatcher_session = l_me, s.next_sweep_at = null
        where s.settings_id = 1;

        commit write immediate wait;
        out_state := 'Go';
    end enter;

    procedure leave is
        l_me varchar2(24) := dbms_session.unique_session_id;
    begin
        rollback;

        update {{.P}}settings s
        set s.dispatcher_session = null
        where s.settings_id = 1 and s.dispatcher_session = l_me;

        commit write immediate wait;
        {{.P}}worker.release_lock(0);
    end leave;
