create or replace package body {{.P}}base as
    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;

    function utc_now return timestamp with time zone is
    begin
        return systimestamp at time zone '+00:00';
    end utc_now;

    function claim_key (in_priority in number, in_expected_seconds in number, in_task_id in number) return number is
    begin
        return in_task_id + ((1000000 - in_priority) * 10000000000 + 9999999999 - in_expected_seconds) * 10000000000000000000;
    end claim_key;

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

    procedure need_whole (in_name in varchar2, in_value in number, in_from in number, in_to in number default 2147483647, in_null_too in boolean default false) is
    begin
        if (in_value is null and not in_null_too) or in_value <> trunc(in_value) or in_value not between in_from and in_to then
            fail(20003, in_name || ' must be a whole number from ' || in_from || ' to ' || in_to || '.');
        end if;
    end need_whole;

    procedure need_settings is
        l_count pls_integer;
    begin
        select count(*) into l_count from {{.P}}settings s;
        if l_count = 0 then
            fail(20039, 'the row of {{.PU}}SETTINGS is missing, so no task runs. To bring it back with default values, run: dbsched install.');
        end if;
    end need_settings;

    procedure begin_transaction is
    begin
        rollback;
        set transaction isolation level read committed;
    end begin_transaction;

    procedure lock_process (in_process_id in number, out_held out varchar2) is
        l_process_id number;
    begin
        out_held := 'N';
        select p.process_id into l_process_id from {{.P}}processes p where p.process_id = in_process_id for update wait 1;
    exception
        when no_data_found then
            null;
        when {{.P}}base.e_held or {{.P}}base.e_busy then
            out_held := 'Y';
    end lock_process;
end {{.P}}base;
