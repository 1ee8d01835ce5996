declare
    -- Removes what 0004_resources.up.sql added.
{{template "down.tmpl" .}}
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
