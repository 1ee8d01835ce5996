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
