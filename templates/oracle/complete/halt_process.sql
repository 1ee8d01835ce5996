    -- Ends a process after a task failed: in the same transaction, tasks that have not started are skipped.
    procedure halt_process (in_task in {{.P}}tasks%rowtype, in_end in ending) is
    begin
        update {{.P}}processes p
        set p.status = 'Failed', p.finished_at = in_end.ended_at
        where p.process_id = in_task.process_id;

        update {{.P}}tasks t
        set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = in_end.ended_at
        where t.unfinished_process_id = in_task.process_id and t.status in ('Pending', 'Waiting');

        {{.P}}resource.leave_line(in_task.process_id);
        alarm('ProcessFailed', 'Task ' || in_task.task_id || ' failed, so its process was halted. Tasks that had not started were skipped.'
            || ' Fix the cause, then call retry_process. ' || substrb(in_end.error_message, 1, 1500),
              in_task.process_id, in_task.task_id, in_task.lane_id);
        {{.P}}schedule.next_firing(in_task.process_id);
    end halt_process;
