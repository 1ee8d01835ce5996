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
