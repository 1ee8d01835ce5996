create or replace package dbsched authid definer as
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
        parameters clob);
    type t_tasks is table of t_task index by pls_integer;
    type t_task_ids is table of number index by pls_integer;

    -- Names of the members of a round.
    type t_names is table of varchar2(4000);

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
        in_parameters in clob default null);

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
        out_task_id out number);

    -- Procedure: exec_async_table
    -- Purpose: Enqueues many tasks, all or none, at a much lower cost than one call of exec_async each. Joins the caller's transaction.
    -- Parameters:
    --   in_tasks t_tasks (required): the tasks; the subscripts need not be consecutive
    -- Errors: those of exec_async, with the subscript of the first wrong task
    -- Example: l_tasks(1).sql_text := 'begin load_orders; end;'; l_tasks(1).execution_order := 100; dbsched.exec_async_table(l_tasks);
    procedure exec_async_table (in_tasks in t_tasks);

    -- Procedure: exec_async_table
    -- Purpose: Like the first, and returns the ids of the tasks.
    -- Parameters:
    --   in_tasks t_tasks (required): the tasks
    --   out_task_ids t_task_ids OUT: their ids, under the same subscripts
    -- Errors:
    --   those of the first
    -- Example: l_tasks(7).sql_text := 'begin load_orders; end;'; l_tasks(7).execution_order := 100;
    -- dbsched.exec_async_table(l_tasks, l_task_ids);
    procedure exec_async_table (in_tasks in t_tasks, out_task_ids out t_task_ids);

    -- Procedure: exec_async_batch
    -- Purpose: Enqueues many tasks given as JSON, all or none. Joins the caller's transaction.
    -- Parameters:
    --   in_tasks clob (required): array of objects; their members are the parameters of exec_async, in lower case and without in_; a
    --       missing or null member has its default; not_before is text like 2026-01-31T04:00:00+02:00, in UTC if it has no zone;
    --       transactional is true or false; parameters is an object
    -- Errors: those of exec_async, with the position of the first wrong task, and
    --   20036: in_tasks is not a JSON array of objects, or a member is not an exec_async parameter or has the wrong type
    -- Example: dbsched.exec_async_batch('[{"sql": "begin load_orders; end;", "execution_order": 100}]');
    procedure exec_async_batch (in_tasks in clob);

    -- Procedure: exec_async_batch
    -- Purpose: Like the first, and returns the ids of the tasks.
    -- Parameters:
    --   in_tasks clob (required): the tasks
    --   out_task_ids clob OUT: JSON array of their ids
    -- Errors:
    --   those of the first
    -- Example: dbsched.exec_async_batch('[{"sql": "begin load_orders; end;", "execution_order": 100}]', l_task_ids);
    procedure exec_async_batch (in_tasks in clob, out_task_ids out clob);

    -- Procedure: create_process
    -- Purpose: Creates a process: a named group of tasks. Its waves run in ascending order. Processes run side by side.
    -- Parameters:
    --   in_name varchar2 (required): display name, at most 128 characters; need not be unique
    --   out_process_id number OUT: id of the new process
    --   in_suspended boolean = false: true = its tasks wait until release_process is called
    --   in_on_error varchar2 = 'Halt': after a failed task: Halt (skip tasks that have not started) or Continue
    --   in_priority number = 0: under policy Priority, the highest is served first; -1000000 to 1000000; above 0: administrators only
    --   in_weight number = 1: share of the process under policy RoundRobin; 1 to 1000; above 1: administrators only
    --   in_max_parallel number = null: most tasks of the process that run at the same time; NULL = no limit of its own
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_on_error is not an allowed value
    --   20012: in_name is NULL, empty or longer than 128 characters
    --   20061: in_priority is above 0 or in_weight above 1, and the caller is not an administrator
    -- Example: dbsched.create_process('nightly load', l_process_id);
    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null);

    -- Procedure: release_process
    -- Purpose: Lets the tasks of a suspended process run once the caller's transaction commits. Does nothing if the process is not
    -- suspended.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20013: the default process is always open
    -- Example: dbsched.release_process(7);
    procedure release_process (in_process_id in number);

    -- Procedure: close_process
    -- Purpose: Declares that the process gets no more tasks. It ends with its last task. A suspended process closes when it is
    -- released; a failed or cancelled one when it is retried. Does nothing if the process is closing or Succeeded.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20013: the default process is always open
    -- Example: dbsched.close_process(7);
    procedure close_process (in_process_id in number);

    -- Procedure: wait_process
    -- Purpose: Waits until a process has ended, or until an open process has no unfinished task.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    --   out_result number OUT: 0 = Succeeded, or nothing left to do; 1 = Failed or Cancelled; 2 = timeout
    --   out_status varchar2 OUT: final status of the process
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20010: called inside a transaction: tasks that it enqueued could not start
    --   20017: called by a task of the same process: it would wait for its own end
    -- Example: dbsched.wait_process(7, 600, l_result, l_status);
    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2);

    -- Procedure: wait_process
    -- Purpose: Waits like wait_process above, for callers that need no result.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20010: called inside a transaction: tasks that it enqueued could not start
    --   20017: called by a task of the same process: it would wait for its own end
    -- Example: dbsched.wait_process(7, 600);
    procedure wait_process (in_process_id in number, in_timeout_seconds in number);

    -- Procedure: start_scheduler
    -- Purpose: Starts the scheduler: workers start for all tasks, including those enqueued earlier. Harmless if it is started already; a
    -- missing dispatcher is started.
    -- Parameters:
    --   in_here boolean = false: true = start although this database is a copy (a clone, an import) of the one where it was started, and suspend
    --       its schedules
    --   in_moved boolean = false: true = start in the database itself, which moved or has another name; schedules stay as they are
    --   in_also_on varchar2 = null: names of other databases (CDB_NAME), separated by commas, in which this pluggable database goes on under its
    --       own name without a new start. They replace earlier ones; '-' = none, NULL = no change. A second copy there cannot be told apart
    -- Errors:
    --   20015: the job queue of the database or the wake-up queue does not work
    --   20016: the database is a standby
    --   20019: the database is a copy of the one in which the scheduler was started
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.start_scheduler;
    procedure start_scheduler (in_here in boolean default false, in_moved in boolean default false, in_also_on in varchar2 default null);

    -- Procedure: stop_scheduler
    -- Purpose: Stops the scheduler: once it returns, no further task starts. Tasks can still be enqueued; they run after
    -- start_scheduler. Harmless if it is stopped already.
    -- Parameters:
    --   in_mode varchar2 = 'Drain': Drain: running tasks finish. Now: running tasks are cancelled as by cancel_task, and not retried
    -- Errors:
    --   20008: in_mode is not an allowed value
    --   20015: the dispatcher, which ends running tasks, could not be started
    --   20061: the caller is not an administrator
    -- Example: dbsched.stop_scheduler;
    procedure stop_scheduler (in_mode in varchar2 default 'Drain');

    -- Procedure: cancel_task
    -- Purpose: Cancels a task. A task that has not started becomes Cancelled at once. A running task is Stopping until its session has
    -- ended: the session is interrupted, and five seconds later ended by force if the owner has MANAGE SCHEDULER. Without that right,
    -- or in a session that called task_scheduler, a task that handles the interrupt runs to its end. A task that has ended is left
    -- as it is.
    -- Parameters:
    --   in_task_id number (required): the task
    -- Errors:
    --   20011: an open transaction has locked the task
    --   20015: the scheduler is stopped, and the dispatcher, which ends the session, could not be started
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    -- Example: for t in (select task_id from ds_task_info where status = 'Waiting') loop dbsched.cancel_task(t.task_id); end loop;
    procedure cancel_task (in_task_id in number);

    -- Procedure: cancel_process
    -- Purpose: Cancels a process: tasks that have not started become Cancelled at once, running tasks are cancelled as by cancel_task.
    -- If the process has ended, this only cancels its running tasks.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the process
    --   20013: the default process never ends
    --   20015: the scheduler is stopped, and the dispatcher, which ends sessions, could not be started
    -- Example: dbsched.cancel_process(7);
    procedure cancel_process (in_process_id in number);

    -- Procedure: retry_task
    -- Purpose: Runs a Failed, TimedOut, Cancelled or Skipped task again, with all its attempts. If its process had ended, the process
    -- is open again, or closing if close_process was called.
    -- Parameters:
    --   in_task_id number (required): the task
    -- Errors:
    --   20011: an open transaction has locked the task
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    --   20027: the task has not failed, its process was cancelled and has tasks that have not ended yet, or it makes the process of a
    --       firing: call run_schedule
    -- Example: for t in (select task_id from ds_task_info where status = 'Failed' and process_id > 0) loop dbsched.retry_task(t.task_id); end loop;
    procedure retry_task (in_task_id in number);

    -- Procedure: retry_process
    -- Purpose: Resumes a process where it failed: its Failed, TimedOut and Skipped tasks run again, in a cancelled process also its
    -- Cancelled ones. The process is open again, or closing if close_process was called. If some of these tasks are another user's, only
    -- an administrator can do it.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the process
    --   20025: tasks of another user failed or were skipped in it
    --   20027: no task failed or was skipped, or cancelled tasks have not ended yet
    -- Example: dbsched.retry_process(7);
    procedure retry_process (in_process_id in number);

    -- Procedure: set_workers
    -- Purpose: Sets how many workers may run at the same time. It can be changed while tasks run: more workers start if there is work
    -- for them; surplus workers leave after their task.
    -- Parameters:
    --   in_max_workers number (required): number of workers; 0 = pause; at most the number of installed lanes
    -- Errors:
    --   20003: in_max_workers is NULL, negative or not a whole number
    --   20009: more workers than installed lanes
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_workers(8);
    procedure set_workers (in_max_workers in number);

    -- Procedure: set_policy
    -- Purpose: Sets which process is served first, from the next claim on.
    -- Parameters:
    --   in_policy varchar2 (required): Fifo (oldest process first), Priority (highest first, ties oldest first) or RoundRobin
    --       (fewest running tasks relative to its weight, then least recently served)
    -- Errors:
    --   20008: in_policy is not an allowed value
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_policy('RoundRobin');
    procedure set_policy (in_policy in varchar2);

    -- Procedure: define_resource
    -- Purpose: Defines a resource: a named semaphore that tasks and sessions hold. Defining it again changes the capacity: more
    -- capacity is granted at once; less capacity takes nothing away from the holders.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 128 characters, case-sensitive
    --   in_capacity number = 1: units that may be held at the same time; 1 to 1000000
    -- Errors:
    --   20003: in_capacity is NULL or out of range
    --   20041: in_name is NULL, empty or too long
    --   20061: the caller is not an administrator
    -- Example: dbsched.define_resource('warehouse', 3);
    procedure define_resource (in_name in varchar2, in_capacity in number default 1);

    -- Procedure: drop_resource
    -- Purpose: Removes a resource with no holders or waiters. A task that still names it, because its transaction was not committed yet
    -- or because it is retried later, fails with 20040.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: the resource does not exist
    --   20047: the resource has holders or waiters, or an unfinished task names it
    --   20061: the caller is not an administrator
    -- Example: dbsched.drop_resource('old warehouse');
    procedure drop_resource (in_name in varchar2);

    -- Procedure: acquire_resource
    -- Purpose: Waits in line for a resource, first come, first served. The grant lasts until release_resource, until the lease runs
    -- out, or, without a lease, until the session or its task ends. A pooled session does not end when it returns to its pool: use a
    -- lease. If the call is interrupted, its request remains in line until its timeout. An open transaction remains open and keeps
    -- its locks.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   out_request_id number OUT: id for release_resource; NULL = timeout, and the request is withdrawn
    --   in_access varchar2 = 'Shared': Shared takes one unit; Exclusive takes all, after all earlier requests and before all later ones
    --   in_timeout_seconds number = 60: longest wait in seconds; 0 = do not wait; at most 604800
    --   in_lease_seconds number = null: seconds until the grant is taken away; 1 to 604800; NULL = held while the session lives
    --   in_requester varchar2 = null: name that the caller gives itself, at most 128 characters; NULL = the session's user
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_access is not an allowed value
    --   20040: the resource does not exist
    --   20041: in_name or in_requester is empty or too long
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was removed from the line
    -- Example: dbsched.acquire_resource('warehouse', l_request_id, in_timeout_seconds => 600);
    procedure acquire_resource (
        in_name in varchar2,
        out_request_id out number,
        in_access in varchar2 default 'Shared',
        in_timeout_seconds in number default 60,
        in_lease_seconds in number default null,
        in_requester in varchar2 default null);

    -- Procedure: release_resource
    -- Purpose: Releases what acquire_resource granted; the next in line gets it. An error means that the grant was lost before.
    -- Administrators can end any user's request this way.
    -- Parameters:
    --   in_request_id number (required): the request, from acquire_resource or {{.P}}resource_info
    -- Errors:
    --   20044: the request does not exist, or no longer exists
    --   20045: the request belongs to another user
    --   20046: the request belongs to a task, which releases it when it ends
    -- Example: dbsched.release_resource(12);
    procedure release_resource (in_request_id in number);

    -- Procedure: define_round
    -- Purpose: Defines a round: a set of outside jobs, and a successor that is started when all of them have reported success. Each job
    -- calls report_round as its last step. Defining a round again changes it, discards its reports, and begins a new generation.
    -- With no members, dbsched.t_names(), it is removed.
    -- Parameters:
    --   in_round varchar2 (required): name of the round, at most 128 characters
    --   in_members t_names (required): names of its members, each at most 128 characters
    --   in_successor_job varchar2 = null: DBMS_SCHEDULER job to start, enabled or not, NAME or SCHEMA.NAME; without a schema it is a job
    --       of {{.Owner}}, which must own the job or have ALTER on it
    --   in_successor_sql clob = null: instead of a job: SQL statement or PL/SQL block to enqueue as a task of the user who defines the round
    --   in_execution_order number = 1: wave of that task
    --   in_process_id number = null: process of that task; NULL = the default process
    --   in_max_age_seconds number = 43200: seconds after which a report no longer counts; 1 to 31536000
    --   in_start_seconds number = 60: seconds that the last reporter waits until the job is seen running; 1 to 3600
    -- Errors:
    --   20003: a number is NULL, out of range or not a whole number
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20050: in_round is NULL, empty or longer than 128 characters
    --   20053: the round belongs to another user
    --   20054: in_members is NULL, or not a list of distinct names of at most 128 characters
    --   20055: not exactly one of in_successor_job and in_successor_sql is given, or the job name is not valid
    --   20056: only {{.Owner}} may define a job as the successor
    -- Example: dbsched.define_round('load', dbsched.t_names('LOAD_A', 'LOAD_B'), in_successor_job => 'REPORT');
    procedure define_round (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2 default null,
        in_successor_sql in clob default null,
        in_execution_order in number default 1,
        in_process_id in number default null,
        in_max_age_seconds in number default 43200,
        in_start_seconds in number default 60);

    -- Procedure: report_round
    -- Purpose: Reports that a member of a round has succeeded or failed. Call it as the last step of each job, after the job has
    -- committed its work: the report counts at once, even if the caller rolls back. When all members have succeeded, the successor
    -- is started exactly once, even if two report at the same instant. The session that reports last starts a job and waits until it
    -- is seen running; a job that cannot be started raises an alarm, not an error, because the member has done its work. If a task
    -- cannot be enqueued, the report is refused and can be made again.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = the member failed
    -- Errors: those of exec_async for the task, and
    --   20003: in_succeeded is NULL
    --   20050: in_round or in_member is NULL
    --   20051: the round does not exist
    --   20052: the round does not have this member
    --   20053: the round belongs to another user
    --   20057: the user that defined the round no longer exists, or may no longer enqueue
    -- Example: dbsched.report_round('load', 'LOAD_A');
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true);

    -- Procedure: report_round
    -- Purpose: Like the first, and returns the outcome. An OUT parameter cannot have a default, so there are two procedures.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = the member failed
    --   out_outcome varchar2 OUT: Waiting (for other members), Started (this was the last report), or, with an alarm: Reported (a
    --       failure), Failed (the successor could not be started), Unknown (the job is not known to run)
    -- Errors:
    --   those of the first
    -- Example: dbsched.report_round('load', 'LOAD_A', out_outcome => l_outcome);
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true,
        out_outcome out varchar2);

    -- Procedure: set_options
    -- Purpose: Sets rarely changed options. An omitted or NULL option is not changed. All options are changed or none. They count from
    -- their next use; no restart is needed. {{.PU}}SCHEDULER_INFO shows them.
    -- Parameters:
    --   in_linger_seconds number = null: seconds that an idle worker waits for work before it ends; 0 to 3600
    --   in_idle_sweep_seconds number = null: seconds between two sweeps; 1 to 86400
    --   in_retention_days number = null: days that finished tasks and processes, attempts and alarms are kept; 1 to 36500
    --   in_max_retry_delay_seconds number = null: longest delay before a retry, in seconds; 0 to 86400
    --   in_max_orphans number = null: how often a task runs again after its worker died; 0 to 100
    --   in_outage_seconds number = null: seconds for which a task is tried again that the server cannot begin; 0 to 2592000
    --   in_max_tasks_per_user number = null: with a runner: unfinished tasks that a user may have who is no administrator; 0 = no limit. Counts
    --       tasks added while it is set, those of schedules and rounds too. Retries, and calls of the same moment, can exceed it
    --   in_default_timeout_seconds number = null: in_timeout_seconds of new tasks that name none; 0 = no limit
    -- Errors:
    --   20003: a number is out of range, or none is given
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_options(in_retention_days => 90, in_linger_seconds => 5);
    procedure set_options (
        in_linger_seconds in number default null,
        in_idle_sweep_seconds in number default null,
        in_retention_days in number default null,
        in_max_retry_delay_seconds in number default null,
        in_max_orphans in number default null,
        in_outage_seconds in number default null,
        in_max_tasks_per_user in number default null,
        in_default_timeout_seconds in number default null);

    -- Procedure: create_schedule
    -- Purpose: Creates a schedule: at each instant of its calendar it makes a process, named after it and the local time, with the given
    -- tasks, as tasks of the user who created it.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 100 characters
    --   in_calendar varchar2 (required): five fields as in cron: minute, hour, day of the month (also L, the last), month, day of the week
    --       (also 5#2, the second Friday), with lists, ranges, steps and English names; or @hourly, @daily, @weekly, @monthly, @yearly;
    --       or every N minutes, hours or days; or a calendar string of DBMS_SCHEDULER, whose own rules count then
    --   in_sql clob = null: its only task: SQL statement or PL/SQL block; or
    --   in_tasks clob = null: its tasks, as for exec_async_batch, without process_id and not_before
    --   in_zone varchar2 = 'UTC': time zone of the calendar, a name in V$TIMEZONE_NAMES
    --   in_overlap varchar2 = 'Skip': if its last process still runs: Skip the firing, Queue it (at most one waits) or Allow both
    --   in_missed varchar2 = 'Once': firings missed while the scheduler was stopped or down, or the schedule was not enabled: Once fires the last
    --       for all, None fires none, All fires the last 100, the oldest first
    --   in_on_error varchar2 = 'Halt': see create_process
    --   in_weight number = 1: see create_process
    --   in_max_parallel number = null: see create_process
    --   in_enabled boolean = true: false = it fires only after set_schedule_enabled
    --   in_begin_at timestamp with time zone = null: no firing before it; every N minutes, hours or days, and what a calendar string
    --       takes from its start date, is counted from it, even if it lies in the past; NULL = now
    --   in_end_at timestamp with time zone = null: no firing after it; NULL = without end
    -- Errors: those of alter_schedule but 20071
    -- Example: dbsched.create_schedule('weekly load', '0 2 * * SUN', in_sql => 'begin load; end;', in_zone => 'Europe/Warsaw');
    procedure create_schedule (
        in_name in varchar2,
        in_calendar in varchar2,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip',
        in_missed in varchar2 default 'Once',
        in_on_error in varchar2 default 'Halt',
        in_weight in number default 1,
        in_max_parallel in number default null,
        in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null);

    -- Procedure: alter_schedule
    -- Purpose: Changes a schedule. What is NULL stays. A new calendar or time zone counts from now on. New tasks make the caller the owner of
    -- the schedule; what has fired for the former owner, but has no process yet, fails. Existing processes stay as they are.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    --   in_calendar varchar2 = null: when it fires; see create_schedule, as for all that follow
    --   in_sql clob = null: its only task, or
    --   in_tasks clob = null: its tasks
    --   in_zone varchar2 = null: time zone of the calendar
    --   in_overlap varchar2 = null: Skip, Queue or Allow
    --   in_missed varchar2 = null: Once, None or All
    --   in_on_error varchar2 = null: Halt or Continue
    --   in_weight number = null: weight of its processes
    --   in_max_parallel number = null: most tasks of a process that run at once; 0 = no limit
    --   in_create boolean = false: true = create it, as create_schedule does
    --   in_enabled boolean = true: of a new schedule: false = it fires only after set_schedule_enabled
    --   in_begin_at timestamp with time zone = null: no firing before it; every N minutes, hours or days is counted from it
    --   in_end_at timestamp with time zone = null: no firing after it; 9999-12-31 = without end
    -- Errors: those of exec_async_batch and create_process, and
    --   20008: in_overlap or in_missed is not an allowed value
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    --   20073: the name is not valid, or there is a schedule of that name
    --   20074: the calendar cannot be read, or never fires between in_begin_at and in_end_at
    --   20075: there is no such time zone
    --   20076: not exactly one of in_sql and in_tasks, or a task names a process or not_before
    -- Example: dbsched.alter_schedule('nightly load', '30 1 * * MON-FRI');
    procedure alter_schedule (
        in_name in varchar2,
        in_calendar in varchar2 default null,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default null,
        in_overlap in varchar2 default null,
        in_missed in varchar2 default null,
        in_on_error in varchar2 default null,
        in_weight in number default null,
        in_max_parallel in number default null,
        in_create in boolean default false,
        in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null);

    -- Procedure: set_schedule_enabled
    -- Purpose: Enables a schedule, Suspended ones too, or disables it. What it misses then is made up for as its in_missed says.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    --   in_enabled boolean (required): true = enable
    -- Errors:
    --   20003: in_enabled is NULL
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.set_schedule_enabled('nightly load', false);
    procedure set_schedule_enabled (in_name in varchar2, in_enabled in boolean);

    -- Procedure: run_schedule
    -- Purpose: Fires a schedule now, also if it is disabled. Unless its in_overlap is Allow, this waits until its last process has ended.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    -- Errors:
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.run_schedule('nightly load');
    procedure run_schedule (in_name in varchar2);

    -- Procedure: drop_schedule
    -- Purpose: Removes a schedule. Its processes run to their end, and its history stays for retention_days.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    -- Errors:
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.drop_schedule('old load');
    procedure drop_schedule (in_name in varchar2);

    -- Procedure: run_firing
    -- Purpose: Makes the process of a schedule's firing and its tasks. Only the task that dbsched enqueues for the firing may call it.
    -- Parameters:
    --   in_firing_id number (required): the firing
    -- Errors: those of create_process and exec_async_batch, and
    --   20072: the schedule has another owner than when it fired
    --   20078: called outside the task of the firing
    -- Example: none; a task of process 0 calls it
    procedure run_firing (in_firing_id in number);

    -- Function: next_instants
    -- Purpose: The next instants of a calendar in a time zone, in UTC, as a JSON array like ["2026-01-31T01:00:00"].
    -- Parameters:
    --   in_calendar varchar2 (required): the calendar, see create_schedule
    --   in_zone varchar2 = 'UTC': its time zone
    --   in_after timestamp = null: list instants after this time, in UTC; NULL = now
    --   in_count number = 10: how many; 1 to 100
    --   in_begin_at timestamp with time zone = null: list none before it, and count intervals from it; NULL = in_after
    --   in_end_at timestamp with time zone = null: list none after it; NULL = without end
    -- Errors:
    --   20003: in_count is out of range
    --   20074: the calendar cannot be read, or never fires
    --   20075: there is no such time zone
    -- Example: select dbsched.next_instants('0 2 * * MON-FRI', 'Europe/Warsaw') from dual
    function next_instants (
        in_calendar in varchar2,
        in_zone in varchar2 default 'UTC',
        in_after in timestamp default null,
        in_count in number default 10,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null) return varchar2;

    -- Procedure: set_alarm_hook
    -- Purpose: Names a procedure of yours that is called for every new alarm, or NULL for none. Each call is a task: it runs with the
    -- rights of tasks, in a process called "alarm hook", one at a time, for at most 300 seconds, with three attempts. It cannot harm
    -- the scheduler, and runs only while the scheduler is started. Its errors are in {{.PU}}LOG_INFO. Installations and upgrades
    -- keep the hook. The procedure must have a parameter in_alarm_id, the alarm's id in {{.PU}}ALARM_INFO.
    -- Parameters:
    --   in_procedure varchar2 = null: name of the procedure, with its schema if tasks run as a runner; NULL = no hook
    -- Errors:
    --   20039: the row of the settings is missing
    --   20060: the procedure does not exist, or has no parameter in_alarm_id
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_alarm_hook('on_alarm');
    procedure set_alarm_hook (in_procedure in varchar2 default null);

    -- Procedure: purge
    -- Purpose: Deletes old finished tasks and processes, attempts and alarms, in small steps that do not block other sessions. The sweep
    -- deletes what is older than retention_days in the same way. Unfinished tasks and processes remain, however old.
    -- Parameters:
    --   in_days number = null: delete what ended more days ago; 0 = all that has ended; NULL = retention_days; 0 to 36500
    -- Errors:
    --   20003: in_days is out of range
    --   20061: the caller is not an administrator
    -- Example: dbsched.purge(7);
    procedure purge (in_days in number default null);

    -- Procedure: acknowledge_alarms
    -- Purpose: Marks alarms as known, so that status counts only newer ones. They remain in {{.PU}}ALARM_INFO.
    -- Parameters:
    --   in_up_to number = null: id of the last alarm to mark, with all before it; NULL = all
    --   in_alarm_id number = null: the only alarm to mark, whatever in_up_to is; NULL = see in_up_to
    -- Errors:
    --   20061: the caller is not an administrator
    -- Example: dbsched.acknowledge_alarms(17);
    procedure acknowledge_alarms (in_up_to in number default null, in_alarm_id in number default null);

    -- Procedure: task_scheduler
    -- Purpose: Turns the calling session into an additional worker, beside those of set_workers, until it has had no work for a while.
    -- Meanwhile the session has the settings of tasks: time zone UTC, ISO dates. NLS settings, time zone, module, action, client info and
    -- client identifier are restored; the current schema is the owner's, isolation is READ COMMITTED, and DBMS_OUTPUT is off afterwards.
    -- Roles do not count in its tasks, and the packages cannot be replaced while it runs.
    -- Parameters:
    --   in_waiting_time number = 30: seconds without work after which it returns; 0 to 86400
    -- Errors:
    --   20003: in_waiting_time is NULL or out of range
    --   20010: called inside a transaction
    --   20014: the scheduler is stopped
    --   20017: called by a task
    --   20018: 64 sessions already do so
    --   20048: the session is not the owner's: tasks would run as another user
    -- Example: dbsched.task_scheduler(60);
    procedure task_scheduler (in_waiting_time in number default 30);

    -- Procedure: sweep
    -- Purpose: Does at once what the dispatcher does periodically: cleans up after dead workers, prunes, starts lanes.
    -- Parameters: none
    -- Errors:
    --   20061: the caller is not an administrator
    -- Example: dbsched.sweep;
    procedure sweep;
end dbsched;
