    -- Package: DBSCHED
    -- Purpose: The public interface of the task scheduler.
    -- Access: public

    -- The exec_async procedures, create_process, release_process and close_process join the caller's transaction: their work exists
    -- only after it commits, and they neither commit nor roll back. All others run in a transaction of their own.

    -- Errors (ORA-20nnn, message texts begin with "dbsched 20nnn: "). These have no exception:
    --   20035: a transactional task is DDL, or ended or replaced its transaction (in logs)
    --   20062: only the worker of a lane may do this
    --   20063: only the runner can create the job of a lane
    --   20064: installed with another runner, or with no runner
    --   20065: the runner has more rights than tasks should have
    --   20066: nothing can be granted to that user
    --   20080-20086: refused before installing (release, container, rights, names, user, edition)
    --   20096: an uninstallation left something behind
    --   20097: an object of dbsched does not compile
    --   20098: a step of a migration failed
    --   20099: an internal check failed
    -- In logs only: 20023 the worker died while it ran the task; 20028 the task was cancelled while it ran;
    -- 20029 the task ran longer than its timeout; 20070 a column of a query cannot be fetched.
    -- 20029 it ran for longer than its timeout; 20070 a query's column cannot be fetched.
    e_sql_empty exception; pragma exception_init(e_sql_empty, -20001); -- in_sql is NULL, empty, or what only SQL*Plus understands
    e_order_null exception; pragma exception_init(e_order_null, -20002); -- in_execution_order is NULL
    e_out_of_range exception; pragma exception_init(e_out_of_range, -20003); -- a number is NULL or out of range
    e_no_such_process exception; pragma exception_init(e_no_such_process, -20004); -- the process does not exist
    e_process_closed exception; pragma exception_init(e_process_closed, -20005); -- the process no longer accepts tasks
    e_not_your_process exception; pragma exception_init(e_not_your_process, -20006); -- the process belongs to another user
    e_unknown_word exception; pragma exception_init(e_unknown_word, -20008); -- a word is not an allowed value
    e_too_few_lanes exception; pragma exception_init(e_too_few_lanes, -20009); -- more workers than installed lanes
    e_in_transaction exception; pragma exception_init(e_in_transaction, -20010); -- called inside a transaction
    e_held exception; pragma exception_init(e_held, -20011); -- an open transaction has locked it
    e_process_name exception; pragma exception_init(e_process_name, -20012); -- in_name is NULL, empty or longer than 128 characters
    e_default_process exception; pragma exception_init(e_default_process, -20013); -- the default process is always open
    e_scheduler_stopped exception; pragma exception_init(e_scheduler_stopped, -20014); -- the scheduler is stopped
    e_cannot_start exception; pragma exception_init(e_cannot_start, -20015); -- the job queue of the database or the wake-up queue does not work
    e_standby exception; pragma exception_init(e_standby, -20016); -- the database is a standby
    e_inside_task exception; pragma exception_init(e_inside_task, -20017); -- called from inside a task
    e_too_many_sessions exception; pragma exception_init(e_too_many_sessions, -20018); -- 64 sessions already run task_scheduler
    e_copy exception; pragma exception_init(e_copy, -20019); -- the database is a copy of the one in which the scheduler was started
    e_no_such_task exception; pragma exception_init(e_no_such_task, -20024); -- the task does not exist
    e_not_your_task exception; pragma exception_init(e_not_your_task, -20025); -- the task belongs to another user
    e_not_failed exception; pragma exception_init(e_not_failed, -20027); -- the task or process has not failed, or has not ended yet
    e_dedup_key exception; pragma exception_init(e_dedup_key, -20030); -- in_dedup_key is blank or longer than 200 characters
    e_parameters exception; pragma exception_init(e_parameters, -20031); -- in_parameters is not a JSON object, or has too many members
    e_parameter_name exception; pragma exception_init(e_parameter_name, -20032); -- a name in in_parameters is not valid, or occurs twice
    e_parameter_type exception; pragma exception_init(e_parameter_type, -20033); -- a type in in_parameters cannot be bound
    e_parameter_value exception; pragma exception_init(e_parameter_value, -20034); -- a value in in_parameters does not match its type
    e_tasks exception; pragma exception_init(e_tasks, -20036); -- many tasks: in_tasks is not a JSON array of objects, or a member is not an exec_async parameter
    e_too_many_tasks exception; pragma exception_init(e_too_many_tasks, -20038); -- you would have more unfinished tasks than max_tasks_per_user
    e_no_settings exception; pragma exception_init(e_no_settings, -20039); -- the row of the settings is missing
    e_no_such_resource exception; pragma exception_init(e_no_such_resource, -20040); -- the resource does not exist
    e_resource_name exception; pragma exception_init(e_resource_name, -20041); -- the name of a resource or requester is NULL, empty or too long, or in_access was passed without in_resource
    e_would_wait_for_itself exception; pragma exception_init(e_would_wait_for_itself, -20042); -- the session would wait for itself
    e_would_wait_for_each_other exception; pragma exception_init(e_would_wait_for_each_other, -20043); -- the session and others would wait for each other
    e_no_such_request exception; pragma exception_init(e_no_such_request, -20044); -- the resource request does not exist, or no longer exists
    e_not_your_request exception; pragma exception_init(e_not_your_request, -20045); -- the resource request belongs to another user
    e_request_of_task exception; pragma exception_init(e_request_of_task, -20046); -- the resource request belongs to a task
    e_resource_in_use exception; pragma exception_init(e_resource_in_use, -20047); -- the resource has holders or waiters, or an unfinished task names it
    e_not_owner exception; pragma exception_init(e_not_owner, -20048); -- only the schema owner may do this
    e_round_name exception; pragma exception_init(e_round_name, -20050); -- the name of the round or of the reporting member is NULL or too long
    e_no_such_round exception; pragma exception_init(e_no_such_round, -20051); -- the round does not exist
    e_no_such_member exception; pragma exception_init(e_no_such_member, -20052); -- the round does not have this member
    e_not_your_round exception; pragma exception_init(e_not_your_round, -20053); -- the round belongs to another user
    e_round_members exception; pragma exception_init(e_round_members, -20054); -- the members are not a list of distinct names
    e_round_successor exception; pragma exception_init(e_round_successor, -20055); -- a round needs either a job or a task as its successor
    e_round_job exception; pragma exception_init(e_round_job, -20056); -- only {{.Owner}} may define a job as the successor
    e_round_user exception; pragma exception_init(e_round_user, -20057); -- the user that defined the round is gone or may no longer enqueue
    e_task_name exception; pragma exception_init(e_task_name, -20059); -- in_name is blank or longer than 128 characters
    e_no_such_hook exception; pragma exception_init(e_no_such_hook, -20060); -- the alarm hook procedure does not exist
    e_not_admin exception; pragma exception_init(e_not_admin, -20061); -- only an administrator may do this
    e_no_such_schedule exception; pragma exception_init(e_no_such_schedule, -20071); -- the schedule does not exist
    e_not_your_schedule exception; pragma exception_init(e_not_your_schedule, -20072); -- the schedule belongs to another user
    e_schedule_name exception; pragma exception_init(e_schedule_name, -20073); -- the name is not valid, or there is a schedule of that name
    e_calendar exception; pragma exception_init(e_calendar, -20074); -- the calendar cannot be read, or never fires
    e_time_zone exception; pragma exception_init(e_time_zone, -20075); -- there is no such time zone
    e_schedule_tasks exception; pragma exception_init(e_schedule_tasks, -20076); -- not exactly one of in_sql and in_tasks, or a task names a process or not_before
    e_not_its_task exception; pragma exception_init(e_not_its_task, -20078); -- run_firing was called outside the task of its firing

    -- One task for exec_async_table. The fields are the parameters of exec_async.
    type t_task is record (
        sql_text clob,
        execution_order number,
        process_id number,
        priority number := 0,
        max_attempts number := 1,
        retry_delay_seconds number := 10,
        timeout_seconds number,
        not_before timestamp with time zone,
        expected_seconds number := 0,
        resource_name varchar2(32767),
        access_mode varchar2(32767),
        transactional boolean := false,
        on_orphan varchar2(32767) := 'Retry',
        dedup_key varchar2(32767),
        parameters clob,
        name varchar2(32767));
    type t_tasks is table of t_task index by pls_integer;
    type t_task_ids is table of number index by pls_integer;

    -- Names of the members of a round.
    type t_names is table of varchar2(4000);
