    procedure exec_async_batch (in_tasks in clob) is
        l_task_ids clob;
    begin
        {{.P}}enqueue.add_batch(in_tasks, null, l_task_ids);
    end exec_async_batch;

    procedure exec_async_batch (in_tasks in clob, out_task_ids out clob) is
    begin
        {{.P}}enqueue.add_batch(in_tasks, null, out_task_ids);
    end exec_async_batch;
