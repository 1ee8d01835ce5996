    -- An attempt that has succeeded, to be recorded by the claim of the next task. The worker knows the first three fields; succeed_task finds
    -- the others.
    type attempt is record (
        task_id number, log_id number, row_count number,
        process_id number, execution_order number, had_work varchar2(1), recorded boolean);

    -- How an attempt ended, as its worker or finder reports it; below what becomes of it, see decide_retry.
    type ending is record (
        outcome varchar2(10), row_count number, error_number number, error_message varchar2(4000), error_backtrace varchar2(4000),
        error_procedure varchar2(300), error_line number,
        ended_at timestamp with time zone, log_outcome varchar2(10), new_status varchar2(10), delay_seconds number);
