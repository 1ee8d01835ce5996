    -- Procedure: exec_async
    -- Purpose: Enqueues one task. The task exists once the caller's transaction commits. It runs with the rights of the runner if
    -- dbsched is installed with one, otherwise with those of the schema owner.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): wave; the task starts when its process has no unfinished task of a lower order
    --   in_process_id number = null: process of the task; NULL = the default process
    --   in_priority number = 0: tasks of the same wave start in descending priority; -1000000 to 1000000
    --   in_max_attempts number = 1: total attempts before a failure is final; 1 to 100
    --   in_retry_delay_seconds number = 10: seconds before the first retry, doubled for each further one; 0 to 86400
    --   in_timeout_seconds number = null: seconds an attempt may run; then it is ended as TimedOut; NULL = default_timeout_seconds, see set_options
    --   in_not_before timestamp with time zone = null: earliest start; NULL = at once
    --   in_expected_seconds number = 0: expected run time in seconds; within a priority the longest task starts first; 0 = unknown
    --   in_resource varchar2 = null: resource that the task holds while it runs (see define_resource); a task that waits for its
    --       resource does not occupy a worker
    --   in_access varchar2 = null: use of the resource: Shared (NULL) takes one unit, Exclusive takes all
    --   in_transactional boolean = false: true = the task and its completion commit in one transaction, both or neither; the task
    --       must not end that transaction, and must not run DDL
    --   in_on_orphan varchar2 = 'Retry': what happens when the task's worker dies: Retry or Fail
    --   in_dedup_key varchar2 = null: at most 200 characters; if the caller has an unfinished task with this key in the process,
    --       nothing is enqueued
    --   in_parameters clob = null: JSON object of values to bind, like {"id integer": 7, "since date": "2026-01-31", "name": "x"} for
    --       :id, :since and :name; the type may be omitted if the value implies it; types are number, integer, binary_double,
    --       varchar2, clob, raw (hexadecimal), date, timestamp and timestamp with time zone
    --   in_name varchar2 = null: what people call the task, at most 128 characters; need not be unique
    -- Errors:
    --   20001: in_sql is NULL or empty
    --   20002: in_execution_order is NULL
    --   20003: a number is NULL or out of range
    --   20004: the process does not exist
    --   20005: the process is closed or finished
    --   20006: the process belongs to another user
    --   20008: in_on_orphan or in_access is not an allowed value
    --   20040: the resource does not exist
    --   20030: in_dedup_key is blank or longer than 200 characters
    --   20031: in_parameters is not a JSON object, or has more than 1000 members
    --   20032: a name in in_parameters is not valid, or occurs twice
    --   20033: a type in in_parameters cannot be bound
    --   20034: a value in in_parameters does not match its type
    --   20038: you would have more unfinished tasks than max_tasks_per_user, see set_options
    --   20041: in_access was passed without in_resource
    --   20059: in_name is blank or longer than 128 characters
    -- Example: dbsched.exec_async('begin load_orders; end;', 100);
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
        in_name in varchar2 default null);

    -- Procedure: exec_async
    -- Purpose: Like the first, and returns the id of the task. An OUT parameter cannot have a default, so there are two procedures.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): wave
    --   in_process_id number = null: process of the task
    --   in_priority number = 0: tasks of the same wave start in descending priority
    --   in_max_attempts number = 1: total attempts
    --   in_retry_delay_seconds number = 10: seconds before the first retry
    --   in_timeout_seconds number = null: seconds an attempt may run; NULL = default_timeout_seconds
    --   in_not_before timestamp with time zone = null: earliest start
    --   in_expected_seconds number = 0: expected run time in seconds
    --   in_resource varchar2 = null: resource that the task holds while it runs (see define_resource)
    --   in_access varchar2 = null: use of the resource: Shared (NULL) takes one unit, Exclusive takes all
    --   in_transactional boolean = false: the task and its completion commit in one transaction
    --   in_on_orphan varchar2 = 'Retry': what happens when the task's worker dies: Retry or Fail
    --   in_dedup_key varchar2 = null: key that one unfinished task at most may have
    --   in_parameters clob = null: values to bind
    --   in_name varchar2 = null: what people call the task
    --   out_task_id number OUT: id of the new task, or of the unfinished task with the same key
    -- Errors:
    --   those of the first
    -- Example: dbsched.exec_async('begin load_orders; end;', 100, out_task_id => l_task_id);
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
        out_task_id out number);
