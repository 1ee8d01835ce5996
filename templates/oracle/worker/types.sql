    -- An attempt that has succeeded.
    type attempt is record (task_id number, attempt number, process_id number, execution_order number, log_id number, row_count number);
