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
