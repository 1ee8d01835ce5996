    -- Of two tasks with the same key that were enqueued at the same time, the one that runs or has run stays, else the older one.
    -- Skips this one if it is the other, and returns that. The settings row and the process are locked.
    function skipped_as_duplicate (in_task in {{.P}}tasks%rowtype) return boolean is
        l_other number;
    begin
        if in_task.dedup_key is null then
            return false;
        end if;

        select min(d.task_id) into l_other
        from {{.P}}tasks d
        where d.unfinished_key = in_task.dedup_key and nlssort(d.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_task.dedup_key, 'NLS_SORT=BINARY')
          and d.process_id = in_task.process_id and nlssort(d.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY')
          and d.task_id <> in_task.task_id
          and (d.status in ('Running', 'Stopping')
               or (d.attempt > 0 and in_task.attempt = 0)
               or (d.task_id < in_task.task_id and (d.attempt > 0 or in_task.attempt = 0)));

        if l_other is null then
            return false;
        end if;

        update {{.P}}tasks t
        set t.status = 'Skipped', t.duplicate_of = l_other, t.finished_at = {{.P}}base.utc_now
        where t.task_id = in_task.task_id and t.status = 'Pending';

        -- Leave the resource's line, and end the process if nothing else was left. If a wave ended with this task, the next one
        -- may need more workers than this one, which looks again.
        if in_task.resource_id is not null then
            {{.P}}resource.leave_line(in_task.process_id, in_task.task_id);
        end if;
        close_if_done(in_task.process_id);
        {{.P}}wake.send_now;
        return true;
    end skipped_as_duplicate;

    -- Takes the resource that a task names. If it is not free, the task waits in the resource's line, hidden from workers: true.
    function waits_in_line (io_task in out nocopy {{.P}}tasks%rowtype) return boolean is
        l_line varchar2(8);
    begin
        if io_task.resource_id is null then
            return false;
        end if;

        {{.P}}resource.join_line(io_task.process_id, io_task.task_id, io_task.resource_id, io_task.access_mode, l_line);

        if l_line = 'Gone' then
            io_task.sql_text := 'begin raise_application_error(-20040, ''dbsched 20040: the resource of the task was dropped. Create it again with define_resource, then enqueue the task again.''); end;';
        elsif l_line <> 'Granted' then
            update {{.P}}tasks t
            set t.status = 'Waiting', t.wait_reason = 'Resource'
            where t.task_id = io_task.task_id and t.status = 'Pending';
            return true;
        end if;

        return false;
    end waits_in_line;

    -- Records that the worker runs the task, before it runs. in_succeeded: 1 = the process still counts an attempt of the worker that succeeded.
    procedure start_attempt (
        in_lane_id in number, in_worker_id in varchar2, in_busy in boolean, in_succeeded in number, in_task in {{.P}}tasks%rowtype, out_log_id out number)
    is
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_head varchar2(4000) := head_of(in_task.sql_text);
    begin
        out_log_id := {{.P}}log_seq.nextval;

        update {{.P}}processes p
        set p.running = p.running + 1 - in_succeeded, p.tasks_succeeded = p.tasks_succeeded + in_succeeded, p.last_served_at = l_now,
            p.wave_key = case p.wave_order when in_task.execution_order then in_task.claim_key else p.wave_key end
        where p.process_id = in_task.process_id;

        insert into {{.P}}logs
            (log_id, task_id, process_id, execution_order, attempt, sql_text, enqueued_by, lane_id, worker_id, session_id, session_key, started_at)
        values
            (out_log_id, in_task.task_id, in_task.process_id, in_task.execution_order, in_task.attempt + 1, l_head, in_task.enqueued_by, in_lane_id, in_worker_id,
             to_number(sys_context('USERENV', 'SID')), dbms_session.unique_session_id, l_now);

        update {{.P}}tasks t
        set t.status = 'Running', t.attempt = t.attempt + 1, t.lane_id = in_lane_id, t.worker_id = in_worker_id, t.log_id = out_log_id, t.started_at = l_now,
            t.stop_at = l_now + numtodsinterval(in_task.timeout_seconds, 'SECOND'), t.stop_outcome = null, t.stop_tries = 0
        where t.task_id = in_task.task_id and t.status = 'Pending' and t.attempt = in_task.attempt;

        if sql%rowcount <> 1 then
            {{.P}}base.fail(20099, 'task ' || in_task.task_id || ' was changed without the lock of its process.');
        end if;

        if not in_busy then
            update {{.P}}lanes l
            set l.state = 'Busy', l.state_at = l_now, l.ordered_at = null, l.submitter = in_task.enqueued_by
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;

        -- The dispatcher checks at least once a minute, so it finds later deadlines by itself.
        if in_task.timeout_seconds <= 60 then
            {{.P}}wake.send_now;
        end if;
    end start_attempt;

    -- Records that a lane has nothing to do, under the lock: from now on the dispatcher sends it a message or orders its job.
    -- io_result: why; NULL = there was no task.
    procedure rest (in_lane_id in number, in_worker_id in varchar2, in_waited in varchar2, io_result in out varchar2) is
        l_state varchar2(8);
    begin
        if io_result is null then
            select max(l.state) into l_state
            from {{.P}}lanes l
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            -- Assigned: the dispatcher sent a message, but another worker was faster. Keep waiting; the message is harmless.
            io_result := case when in_waited = 'Y' and l_state = 'Idle' then 'Leave' else 'Idle' end;
        end if;

        update {{.P}}lanes l
        set l.state = case io_result when 'Idle' then 'Idle' else 'Off' end, l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
    end rest;

{{- if .Runner}}

    -- What a task leaves in its session (roles, contexts, temporary tables) must not reach another user's task.
    function other_submitter (in_lane_id in number, in_worker_id in varchar2, in_task in {{.P}}tasks%rowtype) return boolean is
        l_submitter varchar2(140);
    begin
        select max(l.submitter) into l_submitter from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        return nlssort(l_submitter, 'NLS_SORT=BINARY') <> nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY');
    end other_submitter;

    -- Nobody is left for whom it would run: another user of that name is not the one.
    procedure refuse_gone (io_task in out nocopy {{.P}}tasks%rowtype) is
    begin
        if {{.P}}rights.gone(io_task.enqueued_by) then
            io_task.sql_text := 'begin raise_application_error(-20021, ''dbsched 20021: the user that enqueued the task no longer exists.''); end;';
            io_task.parameters := null;
        end if;
    end refuse_gone;

{{- end}}
