create or replace package dbsched authid definer as
    -- Package: DBSCHED
    -- Purpose: The task scheduler's public interface.
    -- Access: public

    -- exec_async and its kin, create_process, release_process and close_process join the caller's transaction: nothing of what they
    -- did exists until it commits, and they neither commit nor roll back. All others are transactions of their own.

    -- Errors (ORA-20nnn, texts begin with "dbsched 20nnn: "), first those without an exception:
    --   20035: a transactional task is DDL, or ended or replaced its transaction (in logs)
    --   20062: only the worker of a lane may do this
    --   20063: only the runner can make the job of a lane
    --   20064: installed with another runner, or with none
    --   20065: the runner has more rights than tasks should
    --   20066: nothing can be granted to that user
    --   20080-20085: refused before installing (release, container, rights, names, user)
    --   20096: something is left after an uninstallation
    --   20097: something of dbsched does not compile
    --   20098: a step of a migration failed
    --   20099: an internal check failed
    -- In logs only: 20023 the worker died while it ran the task; 20028 the task was cancelled while it ran;
    -- 20029 it ran for longer than its time-out; 20070 a query's column cannot be fetched.
    e_sql_empty exception; pragma exception_init(e_sql_empty, -20001); -- in_sql is NULL or empty
    e_order_null exception; pragma exception_init(e_order_null, -20002); -- in_execution_order is NULL
    e_out_of_range exception; pragma exception_init(e_out_of_range, -20003); -- a number is NULL or out of range
    e_no_such_process exception; pragma exception_init(e_no_such_process, -20004); -- there is no such process
    e_process_closed exception; pragma exception_init(e_process_closed, -20005); -- the process takes no more tasks
    e_not_your_process exception; pragma exception_init(e_not_your_process, -20006); -- the process belongs to another user
    e_unknown_word exception; pragma exception_init(e_unknown_word, -20008); -- a word is none of its values
    e_too_few_lanes exception; pragma exception_init(e_too_few_lanes, -20009); -- more workers than lanes are installed
    e_in_transaction exception; pragma exception_init(e_in_transaction, -20010); -- called inside a transaction
    e_held exception; pragma exception_init(e_held, -20011); -- a transaction that has not ended holds it
    e_process_name exception; pragma exception_init(e_process_name, -20012); -- in_name is NULL, empty or longer than 128 characters
    e_default_process exception; pragma exception_init(e_default_process, -20013); -- the default process is always open
    e_scheduler_stopped exception; pragma exception_init(e_scheduler_stopped, -20014); -- the scheduler is stopped
    e_cannot_start exception; pragma exception_init(e_cannot_start, -20015); -- the database's job queue or the queue of wake-ups does not work
    e_standby exception; pragma exception_init(e_standby, -20016); -- the database is a standby
    e_inside_task exception; pragma exception_init(e_inside_task, -20017); -- called from inside a task
    e_too_many_sessions exception; pragma exception_init(e_too_many_sessions, -20018); -- 64 sessions run task_scheduler already
    e_copy exception; pragma exception_init(e_copy, -20019); -- the database is a copy of the one in which the scheduler was started
    e_no_such_task exception; pragma exception_init(e_no_such_task, -20024); -- there is no such task
    e_not_your_task exception; pragma exception_init(e_not_your_task, -20025); -- the task belongs to another user
    e_not_failed exception; pragma exception_init(e_not_failed, -20027); -- what is to run again has not failed, or has not ended yet
    e_dedup_key exception; pragma exception_init(e_dedup_key, -20030); -- in_dedup_key is blank or longer than 200 characters
    e_parameters exception; pragma exception_init(e_parameters, -20031); -- in_parameters is no JSON object, or too many
    e_parameter_name exception; pragma exception_init(e_parameter_name, -20032); -- the name of a value is none, or there twice
    e_parameter_type exception; pragma exception_init(e_parameter_type, -20033); -- the type of a value cannot be bound
    e_parameter_value exception; pragma exception_init(e_parameter_value, -20034); -- a value is not one of its type
    e_tasks exception; pragma exception_init(e_tasks, -20036); -- many tasks: in_tasks is no JSON array of objects, or a member is none of a task's
    e_no_such_resource exception; pragma exception_init(e_no_such_resource, -20040); -- there is no such resource
    e_resource_name exception; pragma exception_init(e_resource_name, -20041); -- a resource's or requester's name is NULL, empty or too long, or in_access was passed without in_resource
    e_would_wait_for_itself exception; pragma exception_init(e_would_wait_for_itself, -20042); -- the session would wait for itself
    e_would_wait_for_each_other exception; pragma exception_init(e_would_wait_for_each_other, -20043); -- the session and others would wait for each other
    e_no_such_request exception; pragma exception_init(e_no_such_request, -20044); -- there is no such request for a resource (any more)
    e_not_your_request exception; pragma exception_init(e_not_your_request, -20045); -- the request for a resource is another user's
    e_request_of_task exception; pragma exception_init(e_request_of_task, -20046); -- the request for a resource is a task's
    e_resource_in_use exception; pragma exception_init(e_resource_in_use, -20047); -- somebody wants the resource
    e_not_owner exception; pragma exception_init(e_not_owner, -20048); -- only the owner of the schema may do this
    e_round_name exception; pragma exception_init(e_round_name, -20050); -- the name of a round, or of the member that reports, is NULL or too long
    e_no_such_round exception; pragma exception_init(e_no_such_round, -20051); -- there is no such round
    e_no_such_member exception; pragma exception_init(e_no_such_member, -20052); -- the round has no such member
    e_not_your_round exception; pragma exception_init(e_not_your_round, -20053); -- the round belongs to another user
    e_round_members exception; pragma exception_init(e_round_members, -20054); -- the members of a round are no list of different names
    e_round_successor exception; pragma exception_init(e_round_successor, -20055); -- a round needs exactly one of a job and a task
    e_round_job exception; pragma exception_init(e_round_job, -20056); -- only an administrator may have a job started
    e_no_such_hook exception; pragma exception_init(e_no_such_hook, -20060); -- there is no such alarm hook procedure
    e_not_admin exception; pragma exception_init(e_not_admin, -20061); -- only an administrator may do this

    -- A task of exec_async_table: the fields are the parameters of exec_async.
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

    -- Names of a round's members.
    type t_names is table of varchar2(4000);

    -- Procedure: exec_async
    -- Purpose: Enqueues one task. It exists, and runs, when the caller's transaction commits; it runs with the rights of the
    -- schema that dbsched is installed in.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): its wave; it starts when no task of its process with a lower order is unfinished
    --   in_process_id number = null: process it belongs to; NULL = the default process
    --   in_priority number = 0: within its wave, higher first; -1000000 to 1000000
    --   in_max_attempts number = 1: attempts in all before a failure is final; 1 to 100
    --   in_retry_delay_seconds number = 10: seconds before the first retry, doubled for each further one; 0 to 86400
    --   in_timeout_seconds number = null: seconds an attempt may run before it is ended as TimedOut; NULL = no limit
    --   in_not_before timestamp with time zone = null: instant before which it does not start; NULL = at once
    --   in_expected_seconds number = 0: how long it will take; within a priority the longest starts first; 0 = unknown
    --   in_resource varchar2 = null: resource (see define_resource) that it holds while it runs; while others do it waits in line,
    --       and no worker with it
    --   in_access varchar2 = null: how it uses the resource: Shared (NULL) takes one unit, Exclusive all
    --   in_transactional boolean = false: true = one transaction with its completion: its work and its success are both there or
    --       neither is; it must not end that transaction, nor be or run DDL
    --   in_on_orphan varchar2 = 'Retry': when its worker dies: Retry or Fail
    --   in_dedup_key varchar2 = null: at most 200 characters; of the caller's unfinished tasks of the process that have it one
    --       runs: while there is one, nothing is enqueued
    --   in_parameters clob = null: JSON object of values that are bound to the text, like {"id integer": 7, "since date":
    --       "2026-01-31", "name": "x"} for :id, :since and :name; a type, unless it follows from the value, is number, integer,
    --       binary_double, varchar2, clob, raw (hexadecimal), date, timestamp or timestamp with time zone
    -- Errors:
    --   20001: in_sql is NULL or empty
    --   20002: in_execution_order is NULL
    --   20003: a number is NULL or out of range
    --   20004: there is no such process
    --   20005: the process takes no more tasks
    --   20006: the process belongs to another user
    --   20008: in_on_orphan or in_access is none of its values
    --   20040: there is no such resource
    --   20030: in_dedup_key is blank or longer than 200 characters
    --   20031: in_parameters is no JSON object, or has more than 1000 members
    --   20032: a name in it is none, or there twice
    --   20033: a type in it cannot be bound
    --   20034: a value in it is not one of its type
    --   20041: in_access without in_resource
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
    -- Purpose: The same, and tells the task's number. An OUT parameter cannot have a default, hence two of the name.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): its wave
    --   in_process_id number = null: process it belongs to
    --   in_priority number = 0: within its wave, higher first
    --   in_max_attempts number = 1: attempts in all
    --   in_retry_delay_seconds number = 10: seconds before the first retry
    --   in_timeout_seconds number = null: seconds an attempt may run; NULL = no limit
    --   in_not_before timestamp with time zone = null: instant before which it does not start
    --   in_expected_seconds number = 0: how long it will take
    --   in_resource varchar2 = null: resource (see define_resource) that it holds while it runs; while others do it waits in line,
    --       and no worker with it
    --   in_access varchar2 = null: how it uses the resource: Shared (NULL) takes one unit, Exclusive all
    --   in_transactional boolean = false: one transaction with its completion
    --   in_on_orphan varchar2 = 'Retry': when its worker dies: Retry or Fail
    --   in_dedup_key varchar2 = null: key of which one unfinished task exists
    --   in_parameters clob = null: values bound to the text
    --   out_task_id number OUT: number of the new task, or of the unfinished one of the same key
    -- Errors:
    --   see above
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
    -- Purpose: Enqueues many tasks at once, all or none, for much less than as many calls of exec_async, which each does what
    -- it does here. Joins the caller's transaction.
    -- Parameters:
    --   in_tasks t_tasks (required): the tasks; the subscripts need not be consecutive
    -- Errors: those of exec_async, with the subscript of the first task that is wrong
    -- Example: l_tasks(1).sql_text := 'begin load_orders; end;'; l_tasks(1).execution_order := 100; dbsched.exec_async_table(l_tasks);
    procedure exec_async_table (in_tasks in t_tasks);

    -- Procedure: exec_async_table
    -- Purpose: The same, and tells the tasks' numbers.
    -- Parameters:
    --   in_tasks t_tasks (required): the tasks
    --   out_task_ids t_task_ids OUT: their numbers, under the same subscripts
    -- Errors:
    --   see above
    -- Example: l_tasks(7).sql_text := 'begin load_orders; end;'; l_tasks(7).execution_order := 100;
    -- dbsched.exec_async_table(l_tasks, l_task_ids);
    procedure exec_async_table (in_tasks in t_tasks, out_task_ids out t_task_ids);

    -- Procedure: exec_async_batch
    -- Purpose: The same for tasks that are written as JSON.
    -- Parameters:
    --   in_tasks clob (required): array of objects whose members have the names of exec_async's parameters, in small letters and
    --       without in_; one that is missing or null has its default; not_before is text like 2026-01-31T04:00:00+02:00, UTC
    --       without a zone, transactional true or false, parameters an object
    -- Errors: those of exec_async, with the place of the first task that is wrong, and
    --   20036: in_tasks is no JSON array of objects, or a member is none of exec_async's parameters or no value of its type
    -- Example: dbsched.exec_async_batch('[{"sql": "begin load_orders; end;", "execution_order": 100}]');
    procedure exec_async_batch (in_tasks in clob);

    -- Procedure: exec_async_batch
    -- Purpose: The same, and tells the tasks' numbers.
    -- Parameters:
    --   in_tasks clob (required): the tasks
    --   out_task_ids clob OUT: JSON array of their numbers
    -- Errors:
    --   see above
    -- Example: dbsched.exec_async_batch('[{"sql": "begin load_orders; end;", "execution_order": 100}]', l_task_ids);
    procedure exec_async_batch (in_tasks in clob, out_task_ids out clob);

    -- Procedure: create_process
    -- Purpose: Creates a process: a named group of tasks that runs its waves in ascending order, beside other processes.
    -- Parameters:
    --   in_name varchar2 (required): name for people, at most 128 characters; need not be unique
    --   out_process_id number OUT: number of the new process
    --   in_suspended boolean = false: true = its tasks wait until release_process
    --   in_on_error varchar2 = 'Halt': after a failed task: Halt (skip what has not started) or Continue
    --   in_priority number = 0: under policy Priority, higher first; -1000000 to 1000000
    --   in_weight number = 1: under policy RoundRobin, its share; 1 to 1000
    --   in_max_parallel number = null: tasks of it that may run at once; NULL = no limit of its own
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_on_error is none of its values
    --   20012: in_name is NULL, empty or longer than 128 characters
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
    -- Purpose: Lets the tasks of a suspended process run, from the commit of the caller's transaction on. Does nothing to a
    -- process that is not suspended.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20013: the default process is always open
    -- Example: dbsched.release_process(7);
    procedure release_process (in_process_id in number);

    -- Procedure: close_process
    -- Purpose: Says that no more tasks come: the process ends when its last task does. A suspended process closes when it is
    -- released, one that failed or was cancelled when it is tried again. Does nothing to a process that is closing or Succeeded.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20013: the default process is always open
    -- Example: dbsched.close_process(7);
    procedure close_process (in_process_id in number);

    -- Procedure: wait_process
    -- Purpose: Waits until a process has ended or, if it is still open, has no unfinished task.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    --   out_result number OUT: 0 = ended well or nothing left to do; 1 = Failed or Cancelled; 2 = time-out
    --   out_status varchar2 OUT: status of the process at the end
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20010: called inside a transaction, whose tasks could not start
    --   20017: called by a task of the process itself, which would wait for its own end
    -- Example: dbsched.wait_process(7, 600, l_result, l_status);
    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2);

    -- Procedure: start_scheduler
    -- Purpose: Starts the scheduler: from now on workers are started for tasks, those enqueued before included. Calling it again
    -- does no harm and starts a dispatcher that is missing.
    -- Parameters:
    --   in_here boolean = false: true = in a copy of the database in which it was started (a clone, an import), where nothing runs otherwise
    -- Errors:
    --   20015: the database's job queue or the queue of wake-ups does not work
    --   20016: the database is a standby
    --   20019: the database is a copy of the one in which the scheduler was started
    --   20061: the caller is no administrator
    -- Example: dbsched.start_scheduler;
    procedure start_scheduler (in_here in boolean default false);

    -- Procedure: stop_scheduler
    -- Purpose: Stops the scheduler: when it has returned, no further task starts. Enqueueing goes on, and start_scheduler
    -- finds those tasks. Calling it again does no harm.
    -- Parameters:
    --   in_mode varchar2 = 'Drain': Drain: running tasks finish. Now: they are cancelled as by cancel_task, so that none is
    --       tried again
    -- Errors:
    --   20008: in_mode is none of its values
    --   20015: the dispatcher, which would end running tasks, could not be started
    --   20061: the caller is no administrator
    -- Example: dbsched.stop_scheduler;
    procedure stop_scheduler (in_mode in varchar2 default 'Drain');

    -- Procedure: cancel_task
    -- Purpose: Cancels a task. One that has not started is Cancelled at once; a running one is Stopping until its session is gone: it is
    -- interrupted, and five seconds later ended by force if the owner was granted MANAGE SCHEDULER; otherwise a task that handles
    -- the interrupt, or one that task_scheduler runs, goes on until it ends by itself. One that has ended is left as it is. A
    -- transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task
    -- Errors:
    --   20011: the task is held by a transaction that has not ended
    --   20015: the scheduler is stopped, and the dispatcher, which would end the session, could not be started
    --   20024: there is no such task
    --   20025: the task belongs to another user
    -- Example: for t in (select task_id from ds_task_info where status = 'Waiting') loop dbsched.cancel_task(t.task_id); end loop;
    procedure cancel_task (in_task_id in number);

    -- Procedure: cancel_process
    -- Purpose: Cancels a process: what has not started is Cancelled at once, running tasks as by cancel_task. Does nothing more to one that
    -- has ended than to cancel what still runs of it. A transaction of its own.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20011: the process is held by a transaction that has not ended
    --   20013: the default process never ends
    --   20015: the scheduler is stopped, and the dispatcher, which would end sessions, could not be started
    -- Example: dbsched.cancel_process(7);
    procedure cancel_process (in_process_id in number);

    -- Procedure: retry_task
    -- Purpose: Lets a task run again that has Failed, TimedOut, or was Cancelled or Skipped, with all its attempts before it. Its process,
    -- if it had ended, is open again, or closing if close_process was called. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task
    -- Errors:
    --   20011: the task is held by a transaction that has not ended
    --   20024: there is no such task
    --   20025: the task belongs to another user
    --   20027: it has not failed, or tasks of its cancelled process have not ended yet
    -- Example: for t in (select task_id from ds_task_info where status = 'Failed') loop dbsched.retry_task(t.task_id); end loop;
    procedure retry_task (in_task_id in number);

    -- Procedure: retry_process
    -- Purpose: Resumes a process where it failed: its Failed, TimedOut and Skipped tasks run again, of a cancelled process the Cancelled
    -- ones, too. The process is open again, or closing if close_process was called. A transaction of its own.
    -- Parameters:
    --   in_process_id number (required): the process
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20011: the process is held by a transaction that has not ended
    --   20027: nothing of it failed or was skipped, or tasks that were cancelled have not ended yet
    -- Example: dbsched.retry_process(7);
    procedure retry_process (in_process_id in number);

    -- Procedure: set_workers
    -- Purpose: Sets how many workers may run at once, while tasks run, too. More start at once if there is work for them; when
    -- there are too many, those that finish their task first leave.
    -- Parameters:
    --   in_max_workers number (required): number of workers; 0 = pause; at most the number of installed lanes
    -- Errors:
    --   20003: in_max_workers is NULL, negative or no whole number
    --   20009: more workers than lanes are installed
    --   20061: the caller is no administrator
    -- Example: dbsched.set_workers(8);
    procedure set_workers (in_max_workers in number);

    -- Procedure: set_policy
    -- Purpose: Sets which process is served first, from the next claim on.
    -- Parameters:
    --   in_policy varchar2 (required): Fifo (oldest process first), Priority (highest first, ties oldest first) or RoundRobin
    --       (fewest running tasks relative to its weight, then least recently served)
    -- Errors:
    --   20008: in_policy is none of its values
    --   20061: the caller is no administrator
    -- Example: dbsched.set_policy('RoundRobin');
    procedure set_policy (in_policy in varchar2);

    -- Procedure: define_resource
    -- Purpose: Defines a resource: a named semaphore that tasks and sessions hold. Called again it changes the capacity: more is
    -- granted at once; less takes nothing away from those who hold it.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 128 characters; capitals and small letters differ
    --   in_capacity number = 1: units that may be held at once; 1 to 1000000
    -- Errors:
    --   20003: in_capacity is NULL or out of range
    --   20041: in_name is NULL, empty or too long
    --   20061: the caller is no administrator
    -- Example: dbsched.define_resource('warehouse', 3);
    procedure define_resource (in_name in varchar2, in_capacity in number default 1);

    -- Procedure: drop_resource
    -- Purpose: Removes a resource that nobody holds or waits for. A task that names it all the same, since its transaction had not
    -- committed, or since it is tried again later, fails with 20040.
    -- Parameters:
    --   in_name varchar2 (required): its name
    -- Errors:
    --   20040: there is no such resource
    --   20047: somebody holds it or waits for it, or a task that has not ended names it
    --   20061: the caller is no administrator
    -- Example: dbsched.drop_resource('old warehouse');
    procedure drop_resource (in_name in varchar2);

    -- Procedure: acquire_resource
    -- Purpose: Takes a place in the line of a resource and waits for its turn: first come, first served. What was granted is held
    -- until release_resource, until the lease runs out, or, without a lease, until the session ends or its task does. A session
    -- of a pool does not end when it goes back there: use a lease. A call that is broken off stands in the line until its
    -- time-out. A transaction that is open stays so, with its locks.
    -- Parameters:
    --   in_name varchar2 (required): the resource
    --   out_request_id number OUT: what release_resource takes; NULL: time-out, and nothing is left of the request
    --   in_access varchar2 = 'Shared': Shared takes one unit. Exclusive takes all: it waits for all before it, and all after it wait
    --   in_timeout_seconds number = 60: longest wait in seconds; 0 = do not wait; at most 604800
    --   in_lease_seconds number = null: seconds after which it is taken away; 1 to 604800; NULL = held as long as the session lives
    --   in_requester varchar2 = null: what the caller calls itself, at most 128 characters; NULL = the session's user
    -- Errors:
    --   20003: a number is NULL or out of range
    --   20008: in_access is none of its values
    --   20040: there is no such resource
    --   20041: in_name or in_requester is empty or too long
    --   20042: the session would wait for itself
    --   20043: the session and others would wait for each other
    --   20044: the request was taken out of the line
    -- Example: dbsched.acquire_resource('warehouse', l_request_id, in_timeout_seconds => 600);
    procedure acquire_resource (
        in_name in varchar2,
        out_request_id out number,
        in_access in varchar2 default 'Shared',
        in_timeout_seconds in number default 60,
        in_lease_seconds in number default null,
        in_requester in varchar2 default null);

    -- Procedure: release_resource
    -- Purpose: Gives back what acquire_resource granted, and lets the next in the line have it. An error tells that it had been
    -- lost before. Administrators end anybody's request with it.
    -- Parameters:
    --   in_request_id number (required): the request, as acquire_resource gave it, or from {{.P}}resource_info
    -- Errors:
    --   20044: there is no such request (any more)
    --   20045: the request is another user's
    --   20046: the request is a task's, which gives it back when it ends
    -- Example: dbsched.release_resource(12);
    procedure release_resource (in_request_id in number);

    -- Procedure: define_round
    -- Purpose: Defines a round: a set of outside jobs, and what is started when all of them have reported success. Each of them
    -- calls report_round as its last step. Defining a round again changes it, forgets what was reported, and begins a new
    -- generation; with no members, dbsched.t_names(), it is removed.
    -- Parameters:
    --   in_round varchar2 (required): name of the round, at most 128 characters
    --   in_members t_names (required): the names of its members, of at most 128 characters
    --   in_successor_job varchar2 = null: job of DBMS_SCHEDULER to start, NAME or SCHEMA.NAME, of {{.Owner}} if no schema is named,
    --       which must own it or have been granted ALTER on it; it is started whether enabled or not; or
    --   in_successor_sql clob = null: SQL statement or PL/SQL block to enqueue as a task, in the name of the user who defines the round
    --   in_execution_order number = 1: that task's wave
    --   in_process_id number = null: that task's process, NULL = the default process
    --   in_max_age_seconds number = 43200: a report does not count any more when it is older, in seconds; 1 to 31536000
    --   in_start_seconds number = 60: how long the last reporter waits until the job is seen to run, in seconds; 1 to 3600
    -- Errors:
    --   20003: a number is NULL, out of range or no whole number
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20050: in_round is NULL, empty or longer than 128 characters
    --   20053: the round belongs to another user
    --   20054: in_members is NULL, or no list of different names of at most 128 characters
    --   20055: not exactly one of in_successor_job and in_successor_sql is given, or the former is no name
    --   20056: only an administrator may have a job started
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
    -- Purpose: Reports for a member of a round that it has succeeded or failed: the last step of each of its jobs, after the
    -- commit of its work, since the report counts at once, whatever becomes of the caller's transaction. When all have
    -- succeeded, what comes next is started, exactly once, even if two report at the same instant. A job is started by the
    -- session that reports last, which waits until it is seen to run. If a job cannot be started, that is an alarm and not an
    -- error: the member has done its work. If a task cannot be enqueued, the report is refused, so that it can be made again.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = it failed
    -- Errors:
    --   20003: in_succeeded is NULL
    --   20050: in_round or in_member is NULL
    --   20051: there is no such round
    --   20052: the round has no such member
    --   20053: the round belongs to another user
    --   those of exec_async, for the task
    -- Example: dbsched.report_round('load', 'LOAD_A');
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true);

    -- Procedure: report_round
    -- Purpose: The same, and tells what came of it. An OUT parameter cannot have a default, hence two of the name.
    -- Parameters:
    --   in_round varchar2 (required): name of the round
    --   in_member varchar2 (required): name of the member
    --   in_succeeded boolean = true: false = it failed
    --   out_outcome varchar2 OUT: Waiting (for others), Started (it was the last), or with an alarm: Reported (a failure), Failed (the
    --       start), Unknown (whether it runs)
    -- Errors:
    --   see above
    -- Example: dbsched.report_round('load', 'LOAD_A', out_outcome => l_outcome);
    procedure report_round (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean default true,
        out_outcome out varchar2);

    -- Procedure: set_options
    -- Purpose: Sets what is rarely changed; what is not given, or NULL, stays as it is. It counts from the next time it is looked
    -- at: no restart is needed. All of it is changed, or nothing. {{.PU}}SCHEDULER_INFO shows it.
    -- Parameters:
    --   in_linger_seconds number = null: seconds that an idle worker waits for work before it ends; 0 to 3600
    --   in_idle_sweep_seconds number = null: seconds between two sweeps; 1 to 86400
    --   in_retention_days number = null: days that finished tasks and processes, attempts and alarms are kept; 1 to 36500
    --   in_max_retry_delay_seconds number = null: seconds that the pause before a retry grows to at most; 0 to 86400
    --   in_max_orphans number = null: how often a task is run again whose worker died; 0 to 100
    -- Errors:
    --   20003: a number is out of range, or none is given
    --   20061: the caller is no administrator
    -- Example: dbsched.set_options(in_retention_days => 90, in_linger_seconds => 5);
    procedure set_options (
        in_linger_seconds in number default null,
        in_idle_sweep_seconds in number default null,
        in_retention_days in number default null,
        in_max_retry_delay_seconds in number default null,
        in_max_orphans in number default null);

    -- Procedure: set_alarm_hook
    -- Purpose: Names a procedure of yours that is called for every alarm from now on, to tell somebody, or NULL for none. It runs as a
    -- task: with the rights that tasks have, in a process of its own that is called "alarm hook", one call at a time, for at
    -- most 300 seconds, three times if it fails. It can do no harm to the scheduler, and is called while that is started. Its
    -- errors are in {{.PU}}LOG_INFO. An installation or an upgrade keeps it. It must have a parameter in_alarm_id, by which
    -- it finds the alarm in {{.PU}}ALARM_INFO.
    -- Parameters:
    --   in_procedure varchar2 = null: name of the procedure; where tasks run as a runner with its schema before it; NULL = no hook
    -- Errors:
    --   20060: there is no such procedure, or it has no parameter in_alarm_id
    --   20061: the caller is no administrator
    -- Example: dbsched.set_alarm_hook('on_alarm');
    procedure set_alarm_hook (in_procedure in varchar2 default null);

    -- Procedure: purge
    -- Purpose: Forgets what ended long ago: tasks, processes, attempts and alarms, in slices, so that it holds up nobody. The sweep
    -- does the same with what is older than retention_days. What has not ended stays, however old.
    -- Parameters:
    --   in_days number = null: what ended more days ago goes; 0 = all that has ended; NULL = retention_days; 0 to 36500
    -- Errors:
    --   20003: in_days is out of range
    --   20061: the caller is no administrator
    -- Example: dbsched.purge(7);
    procedure purge (in_days in number default null);

    -- Procedure: acknowledge_alarms
    -- Purpose: Marks alarms as known, so that status counts only newer ones. They stay in {{.PU}}ALARM_INFO.
    -- Parameters:
    --   in_up_to number = null: number of the last alarm that is known, and those before it; NULL = all
    -- Errors:
    --   20061: the caller is no administrator
    -- Example: dbsched.acknowledge_alarms(17);
    procedure acknowledge_alarms (in_up_to in number default null);

    -- Procedure: task_scheduler
    -- Purpose: Turns the calling session into one more worker, beside those of set_workers, until there was nothing to do for a
    -- while. It takes the settings of tasks: time zone UTC, ISO dates. Roles do not count in its tasks, and the packages
    -- cannot be replaced while it runs.
    -- Parameters:
    --   in_waiting_time number = 30: seconds without work after which it returns; 0 to 86400
    -- Errors:
    --   20003: in_waiting_time is NULL or out of range
    --   20010: called inside a transaction
    --   20014: the scheduler is stopped
    --   20017: called by a task
    --   20018: 64 sessions do so already
    --   20048: the session is not the owner's: tasks would run as somebody else
    -- Example: dbsched.task_scheduler(60);
    procedure task_scheduler (in_waiting_time in number default 30);

    -- Procedure: sweep
    -- Purpose: Does at once what the dispatcher does once in a while: dead workers, pruning, lanes.
    -- Parameters: none
    -- Errors:
    --   20061: the caller is no administrator
    -- Example: dbsched.sweep;
    procedure sweep;
end dbsched;
