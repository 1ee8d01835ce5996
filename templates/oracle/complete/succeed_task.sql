    -- Records a success in task and log; the process still counts it as running. Completions of a process are serialized: the last one of a
    -- wave must see that it is the last. recorded is false if the attempt is being stopped, or is not this session's.
    procedure succeed_task (in_worker_id in varchar2, io_ended in out attempt) is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_process {{.P}}processes%rowtype;
    begin
        io_ended.recorded := false;

        -- Read before the lock that it names: neither ever changes.
        select t.process_id, t.execution_order into io_ended.process_id, io_ended.execution_order
        from {{.P}}tasks t
        where t.task_id = io_ended.task_id;

        lock_soon(io_ended.process_id, l_process);
        io_ended.had_work := l_process.has_work;

        update {{.P}}tasks t
        set t.status = 'Succeeded', t.lane_id = null, t.worker_id = null, t.stop_at = null, t.finished_at = systimestamp at time zone '+00:00'
        where t.task_id = io_ended.task_id and t.log_id = io_ended.log_id and t.worker_id = in_worker_id and t.status = 'Running';

        if sql%rowcount = 1 then
            update {{.P}}logs g
            set g.ended_at = systimestamp at time zone '+00:00', g.outcome = 'Succeeded', g.rows_affected = io_ended.row_count
            where g.log_id = io_ended.log_id and g.session_key = l_key;

            io_ended.recorded := sql%rowcount = 1;
        end if;

        -- Release its resource, and those that it acquired itself.
        if io_ended.recorded then
            {{.P}}resource.leave_line(io_ended.process_id, io_ended.task_id);
        end if;
    exception
        when no_data_found then
            io_ended.recorded := false;
    end succeed_task;
