declare
    -- The installed version and number of lanes. From here on the dispatcher and workers of another version leave.
    co_version constant varchar2(30) := {{.VersionLit}};
    co_lanes constant pls_integer := {{len .Lanes}};
    l_locked number;
begin
    select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 30;

    update {{.P}}settings s
    set s.version = co_version,
        s.max_lanes = co_lanes,
        s.max_workers = least(s.max_workers, co_lanes)
    where s.settings_id = 1 and (s.version is null or s.version <> co_version or s.max_lanes <> co_lanes);

    for i in 1 .. co_lanes loop
        insert into {{.P}}lanes (lane_id, state, state_at)
        select i, 'Off', systimestamp at time zone 'UTC' from dual
        where not exists (select 1 from {{.P}}lanes l where l.lane_id = i);
    end loop;

    commit write immediate wait;
end;
