declare
    -- The tables of dbsched, version 2: time-outs, cancelling, ending the sessions of running tasks.
    co_migration constant pls_integer := 2;
{{template "up.tmpl" .}}
begin
    -- A lane, a dispatcher or a caller that has the tables open is waited for.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('alter table {{.P}}tasks add (
        timeout_seconds number(10) constraint {{.P}}tasks_timeout_ck check (timeout_seconds >= 1),
        stop_outcome varchar2(10) constraint {{.P}}tasks_stop_ck check (stop_outcome in (''TimedOut'', ''Cancelled'')),
        stop_at timestamp(6) with time zone,
        stop_tries number(10) default 0 not null
    )');
    step('alter table {{.P}}tasks add (
        stop_utc timestamp(6) generated always as (sys_extract_utc(stop_at)) virtual,
        unwell_process_id number generated always as (case when status in (''Failed'', ''TimedOut'', ''Cancelled'', ''Skipped'') then process_id end) virtual
    )');
    remark('tasks.timeout_seconds', 'seconds an attempt may run, NULL = no limit');
    remark('tasks.stop_outcome', 'while Stopping: what it becomes unless it still succeeds; NULL = Cancelled');
    remark('tasks.stop_at', 'when the dispatcher is to end the attempt''s session, or to look again whether it has ended');
    remark('tasks.stop_tries', 'how often it has tried for this attempt');
    remark('tasks.stop_utc', 'stop_at without its zone, so that min() can use the index, which holds running attempts only');
    remark('tasks.unwell_process_id', 'process_id of what did not end well, else NULL: what a retry of its process looks for');
    step('create index {{.P}}tasks_stop_ix on {{.P}}tasks (stop_utc) initrans 8');
    step('create index {{.P}}tasks_unwell_ix on {{.P}}tasks (unwell_process_id) initrans 8');

    step('alter table {{.P}}lanes add (
        condemned_by varchar2(24)
    )');
    remark('lanes.condemned_by', 'unique session id of the dispatcher that is ending the lane''s session: until it has written the outcome the lane claims nothing and is not started');
    step('create index {{.P}}lanes_condemned_ix on {{.P}}lanes (condemned_by)');
end;
