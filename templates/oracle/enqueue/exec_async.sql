    procedure refuse_transaction (in_what in varchar2) is
    begin
        if dbms_transaction.local_transaction_id is not null then
            {{.P}}base.fail(20010, in_what || ' cannot be called inside a transaction, because its tasks could not start. Commit first.');
        end if;
    end refuse_transaction;

    -- Process of the task that this session runs; NULL outside tasks.
    function own_process return number is
        l_task {{.P}}tasks%rowtype := {{.P}}rights.current_task;
    begin
        return l_task.process_id;
    end own_process;

    procedure exec_async (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number default null,
        in_priority in number default 0,
        in_max_attempts in number default 1,
        in_retry_delay_seconds in number default 10,
        in_timeout_seconds in number default null,
        in_not_before in timestamp with time zone default null,
        in_expected_seconds in number default 0,
        in_resource in varchar2 default null,
        in_access in varchar2 default null,
        in_transactional in boolean default false,
        in_on_orphan in varchar2 default 'Retry',
        in_dedup_key in varchar2 default null,
        in_parameters in clob default null,
        in_name in varchar2 default null)
    is
        l_task_id number;
    begin
        exec_async(in_sql, in_execution_order, in_process_id, in_priority, in_max_attempts, in_retry_delay_seconds, in_timeout_seconds, in_not_before,
                   in_expected_seconds, in_resource, in_access, in_transactional, in_on_orphan, in_dedup_key, in_parameters, in_name, l_task_id);
    end exec_async;

    procedure exec_async (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number default null,
        in_priority in number default 0,
        in_max_attempts in number default 1,
        in_retry_delay_seconds in number default 10,
        in_timeout_seconds in number default null,
        in_not_before in timestamp with time zone default null,
        in_expected_seconds in number default 0,
        in_resource in varchar2 default null,
        in_access in varchar2 default null,
        in_transactional in boolean default false,
        in_on_orphan in varchar2 default 'Retry',
        in_dedup_key in varchar2 default null,
        in_parameters in clob default null,
        in_name in varchar2 default null,
        out_task_id out number)
    is
        l_task t_task;
    begin
        l_task.sql_text := in_sql;
        l_task.execution_order := in_execution_order;
        l_task.process_id := in_process_id;
        l_task.priority := in_priority;
        l_task.max_attempts := in_max_attempts;
        l_task.retry_delay_seconds := in_retry_delay_seconds;
        l_task.timeout_seconds := in_timeout_seconds;
        l_task.not_before := in_not_before;
        l_task.expected_seconds := in_expected_seconds;
        l_task.resource_name := in_resource;
        l_task.access_mode := in_access;
        l_task.transactional := in_transactional;
        l_task.on_orphan := in_on_orphan;
        l_task.dedup_key := in_dedup_key;
        l_task.parameters := in_parameters;
        l_task.name := in_name;
        {{.P}}enqueue.add_task(l_task, out_task_id);
    end exec_async;
