declare
    -- What a later version could add to the tables.
    co_migration constant pls_integer := 2;
{{template "up.tmpl" .}}
begin
    -- A lane, a dispatcher or a caller that has the tables open is waited for.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('alter table {{.P}}tasks add (
        later number(10) default 7 not null
    )');
    remark('tasks.later', 'what a later version has');
    step('create index {{.P}}tasks_later_ix on {{.P}}tasks (later)');
end;
