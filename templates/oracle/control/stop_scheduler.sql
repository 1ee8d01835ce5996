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
