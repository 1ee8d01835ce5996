    function home return varchar2 is
    begin
        -- Upper case: parameter files may use any case. The role is added because a snapshot standby has all names of its primary.
        return upper(nvl(sys_context('USERENV', 'CDB_NAME'), sys_context('USERENV', 'DB_NAME')) || '/' || sys_context('USERENV', 'CON_NAME'))
            || nullif(' ' || sys_context('USERENV', 'DATABASE_ROLE'), ' PRIMARY')
            || ', schema ' || sys_context('USERENV', 'CURRENT_USER') || ' (user ' || sys_context('USERENV', 'CURRENT_USERID') || ')';
    end home;

    function container_guid return varchar2 is
        l_guid varchar2(100);
    begin
        begin
            execute immediate 'select rawtohex(p.guid) from sys.v_$pdbs p where p.con_id = sys_context(''USERENV'', ''CON_ID'')' into l_guid;
        exception
            -- Since 21c everybody has a function for it (SQL Language Reference).
            when others then
                execute immediate 'select con_id_to_guid(sys_context(''USERENV'', ''CON_ID'')) from dual' into l_guid;
        end;
        return l_guid;
    exception
        when others then
            return null;
    end container_guid;

    function place (in_home in varchar2, in_home_guid in varchar2, in_also_on in varchar2) return varchar2 is
        l_here varchar2(400) := home;
    begin
        return case
            when in_home is null or in_home = l_here then 'Home'
            when regexp_substr(in_home, '/.*') = regexp_substr(l_here, '/.*')
                 and instr(',' || in_also_on || ',', ',' || regexp_substr(l_here, '[^/]+') || ',') > 0 then 'Moved'
            -- A snapshot standby has the same GUID.
            when regexp_substr(in_home, ', schema .*') = regexp_substr(l_here, ', schema .*')
                 and sys_context('USERENV', 'DATABASE_ROLE') = 'PRIMARY' and in_home_guid = container_guid then 'Moved'
            else 'Copy' end;
    end place;
