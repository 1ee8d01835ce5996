declare
    -- Removes everything that 0001_tables.up.sql created, including the history and the journal.
{{template "down.tmpl" .}}
begin
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('drop table {{.P}}wake_sent purge');
    step('drop table {{.P}}alarms purge');
    step('drop table {{.P}}administrators purge');
    step('drop table {{.P}}schedule_firings purge');
    step('drop table {{.P}}schedules purge');
    step('drop table {{.P}}round_firings purge');
    step('drop table {{.P}}round_members purge');
    step('drop table {{.P}}rounds purge');
    step('drop table {{.P}}resource_requests purge');
    step('drop table {{.P}}resources purge');
    step('drop table {{.P}}lanes purge');
    step('drop table {{.P}}logs purge');
    step('drop table {{.P}}tasks purge');
    step('drop table {{.P}}process_requests purge');
    step('drop table {{.P}}processes purge');
    step('drop table {{.P}}settings purge');
    step('drop sequence {{.P}}schedule_firing_seq');
    step('drop sequence {{.P}}schedule_seq');
    step('drop sequence {{.P}}firing_seq');
    step('drop sequence {{.P}}round_seq');
    step('drop sequence {{.P}}line_seq');
    step('drop sequence {{.P}}resource_seq');
    step('drop sequence {{.P}}alarm_seq');
    step('drop sequence {{.P}}log_seq');
    step('drop sequence {{.P}}task_seq');
    step('drop sequence {{.P}}request_seq');
    step('drop sequence {{.P}}process_seq');
    step('drop table {{.P}}install_steps purge');
end;
