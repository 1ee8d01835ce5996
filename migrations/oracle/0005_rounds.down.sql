declare
    -- Removes what 0005_rounds.up.sql made.
{{template "down.tmpl" .}}
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('drop table {{.P}}round_firings purge');
    step('drop table {{.P}}round_members purge');
    step('drop table {{.P}}rounds purge');
    step('drop sequence {{.P}}firing_seq');
    step('drop sequence {{.P}}round_seq');

    -- So that the next run of the other file makes them again. The journal itself is gone with version 1.
    step('delete from {{.P}}install_steps where migration = 5');
    commit write immediate wait;
end;
