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
        set p.running = p.running + 1 - in_succeeded, p.tasks_succeeded = p.tasks_succeeded + in_succeeded, p.last_served_at = l_now
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

    -- One attempt of claim, in one transaction: settings, process, task, resource, log and lane, in this order. Again: release the
    -- settings row to others, then look again; Held: after a moment, because another session holds what may be claimed.
    procedure try_claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_ended in attempt,
        io_counted in out number, out_result out varchar2, out_linger out number, out_task out {{.P}}tasks%rowtype, out_log_id out number)
    is
        l_settings {{.P}}settings%rowtype;
        l_order number := in_ended.execution_order;
        l_recorded boolean := false;
        l_had_work varchar2(1);
{{- if .Runner}}
        l_none {{.P}}tasks%rowtype;
{{- end}}
        l_passed boolean := false;
        l_busy boolean := io_counted is not null;
    begin
        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1 for update wait 10;
        out_linger := l_settings.linger_seconds;

        if in_ended.task_id is not null then
            succeed(in_worker_id, in_ended, l_recorded, l_had_work);

            if not l_recorded then
                out_result := 'Succeeded';
                rollback;
                return;
            elsif l_had_work = 'N' then
                end_wave(in_ended.process_id, l_order, 1);
            end if;
        end if;

        ask_leave(in_lane_id, in_worker_id, in_version, l_settings, l_recorded, io_counted, out_result);

        if out_result is null then
            choose_task(l_settings.policy, in_ended.process_id, out_task, l_passed);
{{- if .Runner}}

            if other_submitter(in_lane_id, in_worker_id, out_task) then
                out_task := l_none;
                out_result := 'Limit';
            end if;
{{- end}}
        end if;

        if out_task.task_id is null then
            if l_order is not null then
                end_wave(in_ended.process_id, l_order, 0);
            end if;

            if l_passed and out_result is null then
                out_result := case when in_ended.task_id is null then 'Held' else 'Again' end;
            else
                rest(in_lane_id, in_worker_id, in_waited, out_result);
            end if;
        -- The ended attempt may have left a resource, and who holds the lock on one must not wait for that of another.
        elsif l_order is not null and out_task.resource_id is not null then
            end_wave(in_ended.process_id, l_order, 1);
            out_result := 'Again';
        -- One transaction each: a wave may have many of them, and all workers wait for the settings row.
        elsif skipped_as_duplicate(out_task) or waits_in_line(out_task) then
            out_result := 'Again';
        else
            start_attempt(in_lane_id, in_worker_id, l_busy, case when l_recorded then 1 else 0 end, out_task, out_log_id);
            out_result := 'Task';
{{- if .Runner}}
            refuse_gone(out_task);
{{- end}}

            -- A new wave may need more workers than this one.
            if out_task.execution_order > l_order and l_had_work = 'Y' then
                end_wave(in_ended.process_id, l_order, 0);
            end if;
        end if;

        if out_result <> 'Task' and (out_result not in ('Again', 'Held') or not l_busy) then
            io_counted := null;
        end if;

        if out_result <> 'Task' and l_recorded then
            update {{.P}}processes p
            set p.running = greatest(p.running - 1, 0), p.tasks_succeeded = p.tasks_succeeded + 1
            where p.process_id = in_ended.process_id;
        end if;

        commit write immediate wait;
    end try_claim;

    procedure claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_rows in number, io_counted in out number,
        io_task_id in out number, io_attempt in out number, io_process_id in out number, io_order in out number, io_log_id in out number,
        out_result out varchar2, out_linger out number, out_sql out clob, out_parameters out clob, out_transactional out varchar2)
    is
        l_none attempt;
        l_ended attempt;
        l_task {{.P}}tasks%rowtype;
        l_tries pls_integer := 0;
    begin
        if io_task_id is not null then
            l_ended.task_id := io_task_id;
            l_ended.attempt := io_attempt;
            l_ended.process_id := io_process_id;
            l_ended.execution_order := io_order;
            l_ended.log_id := io_log_id;
            l_ended.row_count := in_rows;
        end if;

        loop
            begin
                rollback;
                try_claim(in_lane_id, in_worker_id, in_version, in_waited, l_ended, io_counted, out_result, out_linger, l_task, io_log_id);
                exit when out_result not in ('Again', 'Held');
                l_ended := l_none;
                if out_result = 'Held' then
                    dbms_session.sleep(0.05);
                end if;
            exception
                when others then
                    rollback;
                    -- The work is done: it is recorded alone, whatever keeps this worker from claiming.
                    if l_ended.task_id is not null then
                        out_result := 'Succeeded';
                        return;
                    end if;
                    -- 60: deadlock; 54 and 30006: the lock was not free in time; 63300 and 63302: for a transaction of higher priority.
                    l_tries := l_tries + 1;
                    if l_tries >= 10 or sqlcode not in (-60, -54, -30006, -63300, -63302) then
                        raise;
                    end if;
                    dbms_session.sleep(0.05);
            end;
        end loop;

        if out_result <> 'Succeeded' then
            io_task_id := l_task.task_id;
        end if;

        if out_result = 'Task' then
            io_attempt := l_task.attempt + 1;
            io_process_id := l_task.process_id;
            io_order := l_task.execution_order;
            out_sql := l_task.sql_text;
            out_parameters := l_task.parameters;
            out_transactional := l_task.transactional;
            -- For audit trails: the user that the session acts for, and the task.
            dbms_session.set_identifier(substrb({{.P}}rights.name_of(l_task.enqueued_by), 1, 40) || ' T' || l_task.task_id);
        end if;
    end claim;

