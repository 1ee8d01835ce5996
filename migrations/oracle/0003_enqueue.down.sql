declare
    -- Removes what 0003_enqueue.up.sql added. What is gone already is passed over.
    procedure step (in_sql in varchar2) is
    begin
        execute immediate in_sql;
    exception
        when others then
            -- 904: no such column; 942: no such table.
            if sqlcode not in (-904, -942) then
                raise;
            end if;
    end step;
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('alter table {{.P}}tasks drop (unfinished_key)');
    step('alter table {{.P}}tasks drop (dedup_key, duplicate_of, parameters, transactional)');
    step('delete from {{.P}}install_steps where migration = 3');
    commit write immediate wait;
end;
