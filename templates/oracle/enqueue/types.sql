    -- A row of {{.P}}tasks, without the values that all tasks of a call share.
    type task_row is record (
        task_id number,
        process_id number,
        execution_order number,
        priority number,
        expected_seconds number,
        status varchar2(10),
        wait_reason varchar2(10),
        due_at timestamp with time zone,
        name varchar2(128 char),
        sql_text clob,
        max_attempts number,
        retry_delay_seconds number,
        timeout_seconds number,
        on_orphan varchar2(5),
        resource_id number,
        access_mode varchar2(9),
        transactional varchar2(1),
        dedup_key varchar2(200 char),
        parameters clob);
    type task_rows is table of task_row index by pls_integer;
    type rows_by_hash is table of pls_integer index by pls_integer;
