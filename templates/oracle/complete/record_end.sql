    -- Writes down what decide_retry has decided.
    procedure record_end (in_task in {{.P}}tasks%rowtype, in_end in ending) is
    begin
        update {{.P}}tasks t
        set t.status = in_end.new_status,
            t.wait_reason = case when in_end.log_outcome = 'Outage' then 'Outage' when in_end.new_status = 'Waiting' then 'Retry' end,
            t.due_at = case when in_end.new_status = 'Waiting' then in_end.ended_at + numtodsinterval(in_end.delay_seconds, 'SECOND') end,
            t.failures = in_task.failures, t.orphans = in_task.orphans, t.outage_since = in_task.outage_since,
            t.lane_id = null, t.worker_id = null, t.stop_at = null, t.stop_outcome = null,
            t.finished_at = case when in_end.new_status in ('Pending', 'Waiting') then null else in_end.ended_at end
        where t.task_id = in_task.task_id;

        update {{.P}}logs g
        set g.ended_at = in_end.ended_at, g.outcome = in_end.log_outcome, g.rows_affected = in_end.row_count,
            g.error_number = in_end.error_number, g.error_message = in_end.error_message, g.error_backtrace = in_end.error_backtrace,
            g.error_procedure = in_end.error_procedure, g.error_line = in_end.error_line
        where g.log_id = in_task.log_id;
    end record_end;
