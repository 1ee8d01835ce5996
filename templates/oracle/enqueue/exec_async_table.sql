    procedure exec_async_table (in_tasks in t_tasks) is
        l_task_ids t_task_ids;
    begin
        {{.P}}enqueue.add_table(in_tasks, l_task_ids);
    end exec_async_table;

    procedure exec_async_table (in_tasks in t_tasks, out_task_ids out t_task_ids) is
    begin
        {{.P}}enqueue.add_table(in_tasks, out_task_ids);
    end exec_async_table;
