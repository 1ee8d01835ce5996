declare
    -- The tables of dbsched, version 6: settings of the administrator, administrators, and as whom tasks run.
    -- DDL commits and cannot be rolled back, so this block can be run again after it was killed at any point: every
    -- step is numbered by its position and written to {{.P}}install_steps when it is done. Add steps at the end only.
    co_migration constant pls_integer := 6;
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

    step('alter table {{.P}}settings add (
        alarm_hook varchar2(400),
        alarm_hook_process_id number(10),
        alarm_hook_by varchar2(128),
        alarm_hook_by_os_user varchar2(128),
        alarm_hook_by_client varchar2(64),
        runner varchar2(128),
        salt varchar2(64)
    )');
    remark('settings.alarm_hook', 'procedure that is called for every alarm, as it stands in a block, NULL = none');
    remark('settings.alarm_hook_process_id', 'process of the tasks that call it');
    remark('settings.alarm_hook_by', 'user who set it, and whose tasks they are');
    remark('settings.alarm_hook_by_os_user', 'operating system user of that session');
    remark('settings.alarm_hook_by_client', 'client identifier of that session');
    remark('settings.runner', 'user in whose schema the jobs of the lanes are and as whom tasks run, NULL = the owner');
    remark('settings.salt', 'what the names of workers are mixed with, so that no task can guess one');

    step('create table {{.P}}administrators (
        user_name varchar2(128) not null,
        granted_at timestamp(6) with time zone not null,
        granted_by varchar2(128) not null,
        constraint {{.P}}administrators_pk primary key (user_name)
    )');
    remark('administrators', 'users besides the owner who may do everything, where tasks run as a runner');
    remark('administrators.user_name', 'the user, as the dictionary spells it');
    remark('administrators.granted_at', 'when it was granted');
    remark('administrators.granted_by', 'session user who granted it');

    step('create index {{.P}}lanes_session_ix on {{.P}}lanes (session_key) initrans 8');
end;
