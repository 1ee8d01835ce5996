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

    -- Nobody sees it, nor anything that it could be computed from: names of workers are shown to nobody but the owner.
    update {{.P}}settings s
    set s.salt = rawtohex(standard_hash(rawtohex(sys_guid()) || to_char(systimestamp, 'J SSSSS FF9') || sys_context('USERENV', 'SESSIONID')
            || dbms_session.unique_session_id || to_char(s.lock_base), 'SHA256'))
    where s.settings_id = 1 and s.salt is null;

    for i in 1 .. co_lanes loop
        insert into {{.P}}lanes (lane_id, state, state_at)
        select i, 'Off', systimestamp at time zone 'UTC' from dual
        where not exists (select 1 from {{.P}}lanes l where l.lane_id = i);
    end loop;

    commit write immediate wait;
end;
