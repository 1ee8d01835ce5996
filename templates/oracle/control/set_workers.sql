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
