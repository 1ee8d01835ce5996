declare
    -- Removes what 0003_enqueue.up.sql added.
{{template "down.tmpl" .}}
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('alter table {{.P}}tasks drop (unfinished_key)');
    step('alter table {{.P}}tasks drop (dedup_key, duplicate_of, parameters, transactional)');
    step('delete from {{.P}}install_steps where migration = 3');
    commit write immediate wait;
end;
