    -- Package: {{.PU}}ENQUEUE
    -- Purpose: Adds tasks. Joins the caller's transaction: checks come before the first write, and nothing is rolled back.
    -- Access: private

    -- Procedure: add_task
    -- Purpose: Adds one task and wakes the dispatcher when the caller's transaction commits.
    -- Parameters:
    --   in_task dbsched.t_task (required): the task
    --   out_task_id number OUT: id of the new task, or of the unfinished task with the same key
    -- Errors:
    --   20001, 20002, 20003, 20004, 20005, 20008, 20030, 20031, 20032, 20033, 20034, 20040, 20041, 20059: see dbsched.exec_async
    procedure add_task (in_task in dbsched.t_task, out_task_id out number);

    -- Procedure: add_table
    -- Purpose: Adds many tasks, all or none, and wakes the dispatcher once.
    -- Parameters:
    --   in_tasks dbsched.t_tasks (required): the tasks
    --   out_task_ids dbsched.t_task_ids OUT: their ids, under the same subscripts
    -- Errors: those of add_task, with the subscript of the first wrong task
    procedure add_table (in_tasks in dbsched.t_tasks, out_task_ids out dbsched.t_task_ids);

    -- Procedure: add_batch
    -- Purpose: Does the same for a JSON array.
    -- Parameters:
    --   in_tasks clob (required): array of objects
    --   in_process_id number (required): process of all tasks, which name neither it nor not_before; NULL = as each task says
    --   out_task_ids clob OUT: array of their ids
    -- Errors: those of add_task, with the position of the first wrong task, and
    --   20036: in_tasks is not a JSON array of objects, or a member is not an exec_async parameter or has the wrong type
    --   20076: a task names a process or not_before
    procedure add_batch (in_tasks in clob, in_process_id in number, out_task_ids out clob);
