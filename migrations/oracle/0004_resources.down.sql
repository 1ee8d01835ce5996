declare
    -- Removes what 0004_resources.up.sql added. What is gone already is passed over.
    procedure step (in_sql in varchar2) is
    begin
        execute immediate in_sql;
    exception
        when others then
            -- 904: no such column; 942: no such table; 2289: no such sequence.
            if sqlcode not in (-904, -942, -2289) then
                raise;
            end if;
    end step;
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('alter table {{.P}}tasks drop (resource_id, access_mode)');
    step('drop table {{.P}}resource_requests purge');
    step('drop table {{.P}}resources purge');
    step('drop sequence {{.P}}line_seq');
    step('drop sequence {{.P}}resource_seq');
    step('delete from {{.P}}install_steps where migration = 4');
    commit write immediate wait;
end;
