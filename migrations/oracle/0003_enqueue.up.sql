declare
    -- The tables of dbsched, version 3: keys against duplicates, bound values, transactional tasks.
    -- DDL commits and cannot be rolled back, so this block can be run again after it was killed at any point: every
    -- step is numbered by its position and written to {{.P}}install_steps when it is done. Add steps at the end only.
    co_migration constant pls_integer := 3;
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
