declare
    -- Removes what 0006_settings.up.sql added.
{{template "down.tmpl" .}}
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('drop index {{.P}}lanes_session_ix');
    step('drop table {{.P}}administrators purge');
    step('alter table {{.P}}settings drop (alarm_hook, alarm_hook_process_id, alarm_hook_by, alarm_hook_by_os_user, alarm_hook_by_client, runner, salt)');
    step('delete from {{.P}}install_steps where migration = 6');
    commit write immediate wait;
end;
