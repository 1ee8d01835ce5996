declare
    -- The tables of dbsched, version 3: keys against duplicates, bound values, transactional tasks.
    co_migration constant pls_integer := 3;
{{template "up.tmpl" .}}
begin
    -- A lane, a dispatcher or a caller that has the tables open is waited for.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    step('alter table {{.P}}tasks add (
        dedup_key varchar2(200 char),
        duplicate_of number(19),
        parameters clob,
        transactional varchar2(1) default ''N'' not null constraint {{.P}}tasks_transactional_ck check (transactional in (''Y'', ''N''))
    )');
    step('alter table {{.P}}tasks add (
        unfinished_key varchar2(200 char) generated always as (case when finished_at is null then dedup_key end) virtual
    )');
    remark('tasks.dedup_key', 'of the unfinished tasks of one user and process that have the same key one runs');
    remark('tasks.duplicate_of', 'task of the same key for whose sake this one was Skipped');
    remark('tasks.parameters', 'JSON object of the values that are bound to the text');
    remark('tasks.transactional', 'Y: runs in one transaction with its completion');
    remark('tasks.unfinished_key', 'dedup_key while unfinished, else NULL: the index of keys holds nothing else');
    step('create index {{.P}}tasks_key_ix on {{.P}}tasks (unfinished_key) initrans 8');
end;
