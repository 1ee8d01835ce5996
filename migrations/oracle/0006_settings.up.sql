declare
    -- The tables of dbsched, version 6: settings of the administrator, administrators, and as whom tasks run.
    co_migration constant pls_integer := 6;
{{template "up.tmpl" .}}
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

    -- What earlier versions came to put into columns of version 1.
    remark('tasks.wait_reason', 'why it is Waiting: Delay, Retry, Suspended or Resource');
    remark('alarms.kind', 'what it is about: ProcessFailed, LateTask, StaleResource and so on; errors.md of the documentation lists all');
end;
