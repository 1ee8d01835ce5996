declare
    -- The tables of dbsched, version 2: time-outs, cancelling, ending the sessions of running tasks.
    -- DDL commits and cannot be rolled back, so this block can be run again after it was killed at any point: every
    -- step is numbered by its position and written to {{.P}}install_steps when it is done. Add steps at the end only.
    co_migration constant pls_integer := 2;
    l_step pls_integer := 0;

    e_name_in_use exception;
    pragma exception_init(e_name_in_use, -955);
    e_column_exists exception;
    pragma exception_init(e_column_exists, -1430);

    procedure step (in_sql in varchar2) is
        l_done pls_integer;
    begin
        l_step := l_step + 1;

        execute immediate 'select count(*) from {{.P}}install_steps where migration = :1 and step = :2'
            into l_done using co_migration, l_step;
        if l_done > 0 then
            return;
        end if;

        begin
            execute immediate in_sql;
        exception
            -- Made by a run that ended before it could say so. That names were free before the first run is the preflight's word.
            when e_name_in_use or e_column_exists then
                null;
        end;

        execute immediate 'insert into {{.P}}install_steps (migration, step, done_at) values (:1, :2, systimestamp at time zone ''UTC'')'
            using co_migration, l_step;
        commit write immediate wait;
    exception
        when others then
            raise_application_error(-20098, 'dbsched 20098: migration ' || co_migration || ', step ' || l_step || ' failed; run it again when the cause is mended.', true);
    end step;

    -- in_name: a table, or a table and a column, without the prefix.
    procedure remark (in_name in varchar2, in_text in varchar2) is
    begin
        step('comment on ' || case when instr(in_name, '.') > 0 then 'column ' else 'table ' end
             || '{{.P}}' || in_name || ' is ''' || replace(in_text, '''', '''''') || '''');
    end remark;
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
