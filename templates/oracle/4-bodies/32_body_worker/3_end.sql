    -- What follows the end of an attempt: marks the process's work, ends it if it is closing and has none, and wakes the dispatcher if the
    -- next wave needs more workers than the in_taken that go on with it, or the task of a dead worker needs one.
    procedure end_wave (in_process_id in number, in_order in number, in_taken in pls_integer, in_orphaned in boolean default false) is
        l_lowest number;
        l_pending pls_integer;
    begin
        select min(t.unfinished_order) into l_lowest
        from {{.P}}tasks t
        where t.unfinished_process_id = in_process_id;

        select count(*) into l_pending
        from {{.P}}tasks t
        where t.claim_process_id = in_process_id and t.claim_order = l_lowest and rownum <= 2;

        if l_pending > 0 then
            update {{.P}}processes p set p.has_work = 'Y' where p.process_id = in_process_id and p.has_work = 'N' and p.status in ('Open', 'Closing');
        elsif l_lowest is null then
            close_if_done(in_process_id);
        end if;

        if (l_lowest > in_order and l_pending > in_taken) or (in_orphaned and l_pending > 0) then
            {{.P}}wake.send_now;
        end if;
    end end_wave;

    -- Records a success in task and log; the process still counts it as running. Completions of a process are serialized: the last one of a
    -- wave must see that it is the last. out_recorded false: the attempt is being stopped, or is not this session's.
    procedure succeed (in_worker_id in varchar2, in_ended in attempt, out_recorded out boolean, out_had_work out varchar2) is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_process {{.P}}processes%rowtype;
    begin
        lock_soon(in_ended.process_id, l_process);
        out_had_work := l_process.has_work;

        update {{.P}}tasks t
        set t.status = 'Succeeded', t.lane_id = null, t.worker_id = null, t.stop_at = null, t.finished_at = systimestamp at time zone '+00:00'
        where t.task_id = in_ended.task_id and t.attempt = in_ended.attempt and t.worker_id = in_worker_id and t.status = 'Running';

        if sql%rowcount = 1 then
            update {{.P}}logs g
            set g.ended_at = systimestamp at time zone '+00:00', g.outcome = 'Succeeded', g.rows_affected = in_ended.row_count
            where g.log_id = in_ended.log_id and g.session_key = l_key;
        end if;

        out_recorded := sql%rowcount = 1;

        -- Release its resource, and those that it acquired itself.
        if out_recorded then
            {{.P}}resource.leave_line(in_ended.process_id, in_ended.task_id);
        end if;
    exception
        when no_data_found then
            out_recorded := false;
    end succeed;
