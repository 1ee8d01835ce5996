create or replace package {{.P}}enqueue authid definer as
    -- Package: {{.PU}}ENQUEUE
    -- Purpose: Adds tasks. Joins the caller's transaction: checks come before the first write, and nothing is rolled back.
    -- Access: private

    -- Procedure: add_task
    -- Purpose: Adds one task and wakes the dispatcher when the caller's transaction commits.
    -- Parameters:
    --   in_sql clob (required): SQL statement or PL/SQL block
    --   in_execution_order number (required): its wave
    --   in_process_id number (required): process it belongs to, NULL = the default process
    --   in_priority number (required): within its wave, higher first
    --   in_max_attempts number (required): attempts in all
    --   in_retry_delay_seconds number (required): seconds before the first retry
    --   in_timeout_seconds number (required): seconds it may run, NULL = no limit
    --   in_not_before timestamp with time zone (required): instant before which it does not start, NULL = at once
    --   in_expected_seconds number (required): how long it will take, 0 = unknown
    --   in_resource varchar2 (required): semaphore it needs, NULL = none
    --   in_access varchar2 (required): how it uses the semaphore, NULL without one
    --   in_transactional boolean (required): true = one transaction with its completion
    --   in_on_orphan varchar2 (required): when its worker dies: Retry or Fail
    --   in_dedup_key varchar2 (required): key of which one unfinished task exists, NULL = none
    --   in_parameters clob (required): values bound to the text, NULL = none
    --   out_task_id number OUT: number of the new task, or of the unfinished one of the same key
    -- Errors:
    --   20001, 20002, 20003, 20004, 20005, 20008, 20030, 20031, 20032, 20033, 20034, 20040, 20041: see dbsched.exec_async
    -- Example: see dbsched.exec_async
    procedure add_task (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_priority in number,
        in_max_attempts in number,
        in_retry_delay_seconds in number,
        in_timeout_seconds in number,
        in_not_before in timestamp with time zone,
        in_expected_seconds in number,
        in_resource in varchar2,
        in_access in varchar2,
        in_transactional in boolean,
        in_on_orphan in varchar2,
        in_dedup_key in varchar2,
        in_parameters in clob,
        out_task_id out number);

    -- Procedure: add_table
    -- Purpose: Adds many tasks, all or none, and wakes the dispatcher once.
    -- Parameters:
    --   in_tasks dbsched.t_tasks (required): the tasks
    --   out_task_ids dbsched.t_task_ids OUT: their numbers, under the same subscripts
    -- Errors: those of add_task, with the subscript of the first task that is wrong
    -- Example: see dbsched.exec_async_table
    procedure add_table (in_tasks in dbsched.t_tasks, out_task_ids out dbsched.t_task_ids);

    -- Procedure: add_batch
    -- Purpose: The same for a JSON array.
    -- Parameters:
    --   in_tasks clob (required): array of objects
    --   out_task_ids clob OUT: array of their numbers
    -- Errors: those of add_task, with the place of the first task that is wrong
    --   20036: in_tasks is no JSON array of objects, or a member is none of exec_async's parameters or no value of its type
    -- Example: see dbsched.exec_async_batch
    procedure add_batch (in_tasks in clob, out_task_ids out clob);
end {{.P}}enqueue;
