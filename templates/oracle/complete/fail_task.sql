    -- What a task that has not succeeded means to its process, to its schedule, and to people. in_process: as it was before.
    procedure fail_task (in_process in {{.P}}processes%rowtype, in_task in {{.P}}tasks%rowtype, in_end in ending) is
        l_failed boolean := in_end.new_status in ('Failed', 'TimedOut');
        l_text varchar2(1500) := substrb(in_end.error_message, 1, 1500);
    begin
        if l_failed and in_process.on_error = 'Halt' and in_process.status in ('Open', 'Closing') then
            halt_process(in_task, in_end);
        elsif l_failed and in_task.process_id = 0 then
            alarm('ScheduleFailed', 'A schedule fired, but its process could not be made, see {{.PU}}SCHEDULE_LOG. ' || l_text,
                  0, in_task.task_id, in_task.lane_id);
        end if;

        if (l_failed or in_end.new_status = 'Cancelled') and in_task.process_id = 0 then
            {{.P}}schedule.next_firing(0, in_task.task_id);
        end if;

        -- Without the task's number: one alarm for all tasks with the same trouble.
        if in_end.log_outcome = 'Outage' then
            alarm('Outage', 'The server could not begin a task, which is not the task''s fault. Such tasks wait (wait_reason Outage) and'
                || ' are tried again, for outage_seconds at most. ' || l_text, in_task.process_id, in_task.task_id, in_task.lane_id);
        end if;
    end fail_task;
