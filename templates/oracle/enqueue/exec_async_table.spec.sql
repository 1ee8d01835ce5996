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
