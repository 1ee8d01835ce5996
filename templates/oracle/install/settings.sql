declare
    -- Sets the installed version and number of lanes. From now on the dispatcher and workers of other versions leave.
    co_version constant varchar2(30) := {{.VersionLit}};
    co_lanes constant pls_integer := {{len .Lanes}};
    co_runner constant varchar2(128) := {{if .Runner}}{{str .Runner}}{{else}}null{{end}};
    l_runner varchar2(128);
    l_installed varchar2(30);
begin
    select s.runner, s.version into l_runner, l_installed from {{.P}}settings s where s.settings_id = 1 for update wait 30;

    -- Without a settings row, the lanes' jobs tell who the runner was.
    if l_installed is null then
        select max(j.owner), max(j.owner) into l_runner, l_installed
        from all_scheduler_jobs j
        where j.owner <> user and j.comments like 'dbsched: worker slot % of ' || user;
    end if;

    -- Waiting tasks must run as the user that their enqueuer expected.
    if l_installed is not null and nvl(l_runner, '(nobody)') <> nvl(co_runner, '(nobody)') then
        raise_application_error(-20064, 'dbsched 20064: dbsched is installed ' || case when l_runner is null then 'without a runner' else 'with the runner ' || l_runner end
            || ', which cannot be changed. Uninstall first.');
    end if;

    update {{.P}}settings s
    set s.version = co_version,
        s.max_lanes = co_lanes,
        s.runner = co_runner,
        s.max_workers = least(s.max_workers, co_lanes),
        -- It is secret, and so are the names of workers, which only the owner sees: it could be computed from them.
        s.salt = nvl(s.salt, rawtohex(standard_hash(rawtohex(sys_guid()) || to_char(systimestamp, 'J SSSSS FF9')
            || sys_context('USERENV', 'SESSIONID') || dbms_session.unique_session_id || to_char(s.lock_base), 'SHA256')))
    where s.settings_id = 1 and (s.version is null or s.version <> co_version or s.max_lanes <> co_lanes);

    insert into {{.P}}lanes (lane_id, state, state_at)
    select n.lane_id, 'Off', systimestamp at time zone '+00:00'
    from (select level as lane_id from dual connect by level <= co_lanes) n
    where not exists (select 1 from {{.P}}lanes l where l.lane_id = n.lane_id);

    commit write immediate wait;
end;
