declare
    -- The whole database shares the DBMS_LOCK ids. Names are not an alternative: ALLOCATE_UNIQUE commits. So the installation
    -- chooses a random block of ids, and checks that none of them is in use.
    l_base number;
    l_free boolean;
    l_result integer;
begin
    -- The rows that must exist. What was lost comes back: the settings with default values, a process with the tasks that it has. 1 is the
    -- default process. 0 has the tasks that make the processes of schedules; nobody else adds to it.
    insert into {{.P}}settings (settings_id, changed_at)
    select 1, systimestamp at time zone '+00:00' from dual where not exists (select 1 from {{.P}}settings s);

    insert into {{.P}}processes (process_id, name, status, priority, weight, on_error, has_work, running, created_at, created_by)
    select n.id, case n.id when 1 then 'default' else 'schedules' end, 'Open', case n.id when 1 then 0 else 1000000 end, case n.id when 1 then 1 else 1000 end,
           'Continue', (select case when count(*) > 0 then 'Y' else 'N' end from {{.P}}tasks t where t.unfinished_process_id = n.id),
           (select count(*) from {{.P}}tasks t where t.unfinished_process_id = n.id and t.lane_id > 0), systimestamp at time zone '+00:00', user || '#' || uid
    from (select level - 1 as id from dual connect by level <= 2) n where not exists (select 1 from {{.P}}processes p where p.process_id = n.id);

    select s.lock_base into l_base from {{.P}}settings s where s.settings_id = 1 for update wait 30;

    while l_base is null loop
        -- Ids end at 1073741823; the block has 4096. GET_HASH_VALUE spreads what SYS_GUID makes unique.
        l_base := dbms_utility.get_hash_value(rawtohex(sys_guid()) || to_char(systimestamp, 'FF6'), 0, 262144) * 4096;
        l_free := l_base + 4095 <= 1073741823;

        for i in 0 .. 1064 loop
            exit when not l_free;
            l_result := dbms_lock.request(id => l_base + i, lockmode => dbms_lock.x_mode, timeout => 0, release_on_commit => false);
            l_free := l_result = 0;
            if l_free then
                l_result := dbms_lock.release(id => l_base + i);
            end if;
        end loop;

        if l_free then
            update {{.P}}settings s set s.lock_base = l_base where s.settings_id = 1;
        else
            l_base := null;
        end if;
    end loop;

    commit write immediate wait;
end;
