    -- The beginning of a text, for its log row. A character beyond the basic plane is two units in a CLOB; it must not be cut.
    function head_of (in_sql in clob) return varchar2 is
        e_boundary exception; pragma exception_init(e_boundary, -22831);
    begin
        return substr(in_sql, 1, 1000);
    exception
        when e_boundary then
            return substr(in_sql, 1, 999);
    end head_of;

    -- Records that the worker runs the task, before it runs: the log row survives a crash. in_busy: the lane's row says Busy already.
    procedure start_attempt (
        in_lane_id in number, in_worker_id in varchar2, in_busy in boolean, in_ended in attempt, io_task in out nocopy {{.P}}tasks%rowtype)
    is
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_head varchar2(4000) := head_of(io_task.sql_text);
        l_ended number := case when in_ended.task_id is null then 0 else 1 end;
    begin
        io_task.log_id := {{.P}}log_seq.nextval;

        -- The ended attempt is of the same process, see choose_process, and still counts as running.
        update {{.P}}processes p
        set p.running = p.running + 1 - l_ended, p.tasks_succeeded = p.tasks_succeeded + l_ended, p.last_served_at = l_now,
            p.wave_key = case p.wave_order when io_task.execution_order then io_task.claim_key else p.wave_key end
        where p.process_id = io_task.process_id;

        insert into {{.P}}logs
            (log_id, task_id, process_id, execution_order, attempt, task_name, sql_text, enqueued_by,
             lane_id, worker_id, session_id, session_key, started_at)
        values
            (io_task.log_id, io_task.task_id, io_task.process_id, io_task.execution_order, io_task.attempt + 1, io_task.name, l_head,
             io_task.enqueued_by, in_lane_id, in_worker_id, to_number(sys_context('USERENV', 'SID')), dbms_session.unique_session_id, l_now);

        update {{.P}}tasks t
        set t.status = 'Running', t.attempt = t.attempt + 1, t.lane_id = in_lane_id, t.worker_id = in_worker_id, t.log_id = io_task.log_id,
            t.started_at = l_now, t.stop_at = l_now + numtodsinterval(io_task.timeout_seconds, 'SECOND'), t.stop_outcome = null, t.stop_tries = 0
        where t.task_id = io_task.task_id and t.status = 'Pending' and t.attempt = io_task.attempt;

        if sql%rowcount <> 1 then
            {{.P}}base.fail(20099, 'task ' || io_task.task_id || ' was changed without the lock of its process.');
        end if;

        if not in_busy then
            update {{.P}}lanes l
            set l.state = 'Busy', l.state_at = l_now, l.ordered_at = null, l.submitter = io_task.enqueued_by
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;

        -- The dispatcher checks at least once a minute, so it finds later deadlines by itself.
        if io_task.timeout_seconds <= 60 then
            {{.P}}wake.send_now;
        end if;

        -- A new wave may need more workers than this one. If the ended attempt had left no work, its end has said so already.
        if io_task.execution_order > in_ended.execution_order and in_ended.had_work = 'Y' then
            end_wave(in_ended.process_id, in_ended.execution_order, 0, 0);
        end if;
{{- if .Runner}}

        refuse_gone(io_task);
{{- end}}
    end start_attempt;
