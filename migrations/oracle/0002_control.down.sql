declare
    -- Removes what 0002_control.up.sql added.
{{template "down.tmpl" .}}
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    -- What is computed goes before what it is computed from. Indexes and constraints go with their columns.
    step('alter table {{.P}}tasks drop (stop_utc, unwell_process_id)');
    step('alter table {{.P}}tasks drop (timeout_seconds, stop_outcome, stop_at, stop_tries)');
    step('alter table {{.P}}lanes drop (condemned_by)');
    step('delete from {{.P}}install_steps where migration = 2');
    commit write immediate wait;
end;
