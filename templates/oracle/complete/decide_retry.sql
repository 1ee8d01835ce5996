    -- Decides the task's new status, the outcome in its log, and how long a retry waits. io_task gets the new counts.
    procedure decide_retry (
        in_settings in {{.P}}settings%rowtype, in_process in {{.P}}processes%rowtype, io_task in out nocopy {{.P}}tasks%rowtype,
        io_end in out ending)
    is
        l_lives boolean := in_process.status in ('Open', 'Closing');
        l_stopping boolean := io_task.status = 'Stopping';
        l_lasts number;
    begin
        io_end.log_outcome := case when io_end.outcome in ('Final', 'Outage') then 'Failed' else io_end.outcome end;
        io_end.delay_seconds := 0;

        -- For how long the server has not been able to begin it.
        io_task.outage_since := case io_end.outcome when 'Outage' then nvl(io_task.outage_since, io_end.ended_at) end;
        l_lasts := (cast(sys_extract_utc(io_end.ended_at) as date) - cast(sys_extract_utc(io_task.outage_since) as date)) * 86400;

        if io_end.outcome = 'Succeeded' then
            io_end.new_status := 'Succeeded';
        elsif l_stopping and nvl(io_task.stop_outcome, 'Cancelled') = 'Cancelled' then
            io_end.new_status := 'Cancelled';
            io_end.log_outcome := 'Cancelled';
        elsif not l_stopping and io_end.outcome = 'Orphaned' then
            io_task.orphans := io_task.orphans + 1;
            io_end.new_status := case when io_task.on_orphan = 'Retry' and io_task.orphans <= in_settings.max_orphans and l_lives
                                      then 'Pending' else 'Failed' end;
        -- Not the task's fault: it waits a minute, then as long as it has waited, at most ten minutes.
        elsif not l_stopping and io_end.outcome = 'Outage' and l_lives and l_lasts < in_settings.outage_seconds then
            io_end.delay_seconds := least(greatest(round(l_lasts), 60), 600);
            io_end.new_status := 'Waiting';
            io_end.log_outcome := 'Outage';
        else
            -- A timeout is a failure, however the attempt ended after it.
            io_task.failures := io_task.failures + 1;
            io_end.new_status := 'Failed';
            if l_stopping then
                io_end.new_status := 'TimedOut';
                io_end.log_outcome := 'TimedOut';
            end if;
            if io_task.failures < io_task.max_attempts and io_end.outcome <> 'Final' and l_lives then
                io_end.delay_seconds := least(io_task.retry_delay_seconds * power(2, least(io_task.failures - 1, 19)),
                                              in_settings.max_retry_delay_seconds);
                io_end.new_status := case when io_end.delay_seconds > 0 then 'Waiting' else 'Pending' end;
            end if;
        end if;

        -- Record the reason, not that the session died or was interrupted (1013).
        if l_stopping and io_end.outcome <> 'Succeeded' and (io_end.outcome = 'Orphaned' or io_end.error_number = 1013) then
            if io_end.log_outcome = 'Cancelled' then
                io_end.error_number := 20028;
                io_end.error_message := 'dbsched 20028: the task was cancelled while it ran.';
            else
                io_end.error_number := 20029;
                io_end.error_message := 'dbsched 20029: the task ran for longer than its ' || io_task.timeout_seconds || ' seconds.';
            end if;
        end if;
    end decide_retry;
