    -- Finds lanes whose worker is gone (killed, or the instance ended), recovers their tasks and marks them Off.
    procedure free_dead_lanes is
        l_last number := 0;
        l_lane_id number;
        l_state varchar2(8);
        l_state_at timestamp with time zone;
        l_ordered_at timestamp with time zone;
        l_worker_id varchar2(32);
        l_since timestamp with time zone := {{.P}}base.utc_now - interval '30' second;
        l_locked number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id > l_last
              and (l.state in ('Idle', 'Assigned', 'Busy') or (l.state = 'Starting' and l.ordered_at < l_since));

            exit when l_lane_id is null;
            l_last := l_lane_id;

            -- The row of a session that has just ended is gone; MAX returns NULL instead of an error.
            select max(l.state), max(l.state_at), max(l.ordered_at), max(l.worker_id)
            into l_state, l_state_at, l_ordered_at, l_worker_id
            from {{.P}}lanes l
            where l.lane_id = l_lane_id;

            continue when l_state is null;

            if {{.P}}worker.lane_dead(l_lane_id) then
                {{.P}}worker.recover(l_lane_id);

                {{.P}}base.begin_transaction;
                select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 10;

                if l_state = 'Starting' and l_worker_id is null then
                    -- Ordered half a minute ago, but not started: order it again.
                    update {{.P}}lanes l
                    set l.ordered_at = null
                    where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at = l_ordered_at and l.worker_id is null;

                    if sql%rowcount = 1 then
                        {{.P}}worker.alarm('LaneNotStarted', 'The job {{.JobOwner}}.{{.PU}}LANE_' || to_char(l_lane_id, 'FM00')
                            || ' was ordered but did not start within 30 seconds. It is ordered again. Check USER_SCHEDULER_JOB_RUN_DETAILS and the parameter job_queue_processes.', in_lane_id => l_lane_id);
                    end if;
                elsif l_lane_id > 1000 then
                    delete from {{.P}}lanes l where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
                else
                    update {{.P}}lanes l
                    set l.state = 'Off', l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null, l.worker_id = null,
                        l.session_id = null,
                        l.session_key = null, l.entered_at = null
                    where l.lane_id = l_lane_id and l.state = l_state and l.state_at = l_state_at
                      and (l.worker_id = l_worker_id or (l.worker_id is null and l_worker_id is null));
                end if;

                commit write immediate wait;
            end if;
        end loop;
    end free_dead_lanes;
