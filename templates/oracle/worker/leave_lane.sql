    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2) is
    begin
        rollback;

        if in_lane_id > 1000 then
            delete from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        else
            -- Starting stays: the dispatcher has already ordered the next session.
            update {{.P}}lanes l
            set l.state = case when l.state = 'Starting' then l.state else 'Off' end,
                l.state_at = case when l.state in ('Starting', 'Off') then l.state_at else systimestamp at time zone '+00:00' end,
                l.worker_id = null, l.session_id = null, l.session_key = null, l.entered_at = null
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;

        if in_again = 'Y' then
            {{.P}}wake.send_now;
        end if;

        commit write immediate wait;
        release_lock(in_lane_id);
    exception
        when others then
            rollback;
            release_lock(in_lane_id);
            raise;
    end leave;

    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2) is
        l_condemned pls_integer;
    begin
        rollback;

        begin
            -- Interrupted because its attempt must end, but not while it ran the task: not a failure.
            select count(l.condemned_by) into l_condemned from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            if l_condemned = 0 or in_text not like 'ORA-01013%' then
                alarm('WorkerError', 'A worker failed: ' || in_text, in_lane_id => in_lane_id);
                commit write immediate wait;
            end if;
        exception
            when others then
                rollback;
        end;

        if in_worker_id is null then
            release_lock(in_lane_id);
        else
            leave(in_lane_id, in_worker_id, 'Y');
        end if;
    end failed;
