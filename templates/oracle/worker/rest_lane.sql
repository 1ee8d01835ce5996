    -- Records that a lane has nothing to do, under the lock: from now on the dispatcher sends it a message or orders its job.
    -- io_result: why; NULL = there was no task.
    procedure rest (in_lane_id in number, in_worker_id in varchar2, in_waited in varchar2, io_result in out varchar2) is
        l_state varchar2(8);
    begin
        if io_result is null then
            select max(l.state) into l_state from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            -- Assigned: the dispatcher sent a message, but another worker was faster. Keep waiting; the message is harmless.
            io_result := case when in_waited = 'Y' and l_state = 'Idle' then 'Leave' else 'Idle' end;
        end if;

        update {{.P}}lanes l
        set l.state = case io_result when 'Idle' then 'Idle' else 'Off' end, l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
    end rest;
