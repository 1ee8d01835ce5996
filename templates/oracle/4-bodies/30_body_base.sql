create or replace package body {{.P}}base as
    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;

    function utc_now return timestamp with time zone is
    begin
        return systimestamp at time zone 'UTC';
    end utc_now;

    function home return varchar2 is
    begin
        -- Upper case: parameter files may use any case. The role is added because a snapshot standby has all names of its primary.
        return upper(nvl(sys_context('USERENV', 'CDB_NAME'), sys_context('USERENV', 'DB_NAME')) || '/' || sys_context('USERENV', 'CON_NAME'))
            || nullif(' ' || sys_context('USERENV', 'DATABASE_ROLE'), ' PRIMARY')
            || ', schema ' || sys_context('USERENV', 'CURRENT_USER') || ' (user ' || sys_context('USERENV', 'CURRENT_USERID') || ')';
    end home;

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
