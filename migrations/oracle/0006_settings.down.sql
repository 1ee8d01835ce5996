declare
    -- Removes what 0006_settings.up.sql added. What is gone already is passed over.
    procedure step (in_sql in varchar2) is
    begin
        execute immediate in_sql;
    exception
        when others then
            -- 904: no such column; 942: no such table; 1418: no such index.
            if sqlcode not in (-904, -942, -1418) then
                raise;
            end if;
    end step;
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('drop index {{.P}}lanes_session_ix');
    step('drop table {{.P}}administrators purge');
    step('alter table {{.P}}settings drop (alarm_hook, alarm_hook_process_id, alarm_hook_by, alarm_hook_by_os_user, alarm_hook_by_client, runner, salt)');
    step('delete from {{.P}}install_steps where migration = 6');
    commit write immediate wait;
end;
