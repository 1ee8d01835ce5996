    procedure begin_work (in_worker_id in varchar2, in_log_id in number) is
    begin
        update {{.P}}logs g
        set g.worker_id = g.worker_id
        where g.log_id = in_log_id and g.worker_id = in_worker_id and g.ended_at is null;

        if sql%rowcount <> 1 then
            raise_application_error(-20099, 'dbsched 20099: attempt ' || in_log_id || ' no longer belongs to this worker.');
        end if;
    end begin_work;

    -- One attempt of complete, in the steps below; the caller commits.
    procedure try_complete (
        in_worker_id in varchar2, in_task_id in number, in_attempt in number, in_outcome in varchar2, in_rows in number,
        in_error_number in number, in_error_message in varchar2, in_error_backtrace in varchar2, in_error_procedure in varchar2,
        in_error_line in number, out_lost out varchar2)
    is
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_settings {{.P}}settings%rowtype;
        l_process_id number;
        l_process {{.P}}processes%rowtype;
        l_task {{.P}}tasks%rowtype;
        l_new_status varchar2(10);
        l_log_outcome varchar2(10) := case when in_outcome in ('Final', 'Outage') then 'Failed' else in_outcome end;
        l_lasts number;
        l_error_number number := in_error_number;
        l_error_message varchar2(4000) := in_error_message;
        l_delay number := 0;

        -- The task's new status, and the outcome in its log.
        procedure decide is
            l_lives boolean := l_process.status in ('Open', 'Closing');
        begin
            l_task.outage_since := case in_outcome when 'Outage' then nvl(l_task.outage_since, l_now) end;
            l_lasts := (cast(sys_extract_utc(l_now) as date) - cast(sys_extract_utc(l_task.outage_since) as date)) * 86400;

            if in_outcome = 'Succeeded' then
                l_new_status := 'Succeeded';
            elsif l_task.status = 'Stopping' and nvl(l_task.stop_outcome, 'Cancelled') = 'Cancelled' then
                l_new_status := 'Cancelled';
                l_log_outcome := 'Cancelled';
            elsif l_task.status <> 'Stopping' and in_outcome = 'Orphaned' then
                l_task.orphans := l_task.orphans + 1;
                l_new_status := case when l_task.on_orphan = 'Retry' and l_task.orphans <= l_settings.max_orphans and l_lives then 'Pending' else 'Failed' end;
            -- Not the task's fault: it waits a minute, then as long as it has waited, at most ten minutes.
            elsif l_task.status <> 'Stopping' and in_outcome = 'Outage' and l_lives and l_lasts < l_settings.outage_seconds then
                l_delay := least(greatest(round(l_lasts), 60), 600);
                l_new_status := 'Waiting';
                l_log_outcome := 'Outage';
            else
                -- A timeout is a failure, however the attempt ended after it.
                l_task.failures := l_task.failures + 1;
                l_new_status := 'Failed';
                if l_task.status = 'Stopping' then
                    l_new_status := 'TimedOut';
                    l_log_outcome := 'TimedOut';
                end if;
                if l_task.failures < l_task.max_attempts and in_outcome <> 'Final' and l_lives then
                    l_delay := least(l_task.retry_delay_seconds * power(2, least(l_task.failures - 1, 19)), l_settings.max_retry_delay_seconds);
                    l_new_status := case when l_delay > 0 then 'Waiting' else 'Pending' end;
                end if;
            end if;

            -- Record the reason, not that the session died or was interrupted (1013).
            if l_task.status = 'Stopping' and in_outcome <> 'Succeeded' and (in_outcome = 'Orphaned' or in_error_number = 1013) then
                l_error_number := case when l_log_outcome = 'Cancelled' then 20028 else 20029 end;
                l_error_message := case when l_log_outcome = 'Cancelled' then 'dbsched 20028: the task was cancelled while it ran.'
                                   else 'dbsched 20029: the task ran for longer than its ' || l_task.timeout_seconds || ' seconds.' end;
            end if;
        end decide;

        procedure write_down is
        begin
            update {{.P}}tasks t
            set t.status = l_new_status,
                t.wait_reason = case when l_log_outcome = 'Outage' then 'Outage' when l_new_status = 'Waiting' then 'Retry' end,
                t.due_at = case when l_new_status = 'Waiting' then l_now + numtodsinterval(l_delay, 'SECOND') end,
                t.failures = l_task.failures, t.orphans = l_task.orphans, t.outage_since = l_task.outage_since,
                t.lane_id = null, t.worker_id = null, t.stop_at = null, t.stop_outcome = null,
                t.finished_at = case when l_new_status in ('Pending', 'Waiting') then null else l_now end
            where t.task_id = in_task_id;

            update {{.P}}logs g
            set g.ended_at = l_now, g.outcome = l_log_outcome, g.rows_affected = in_rows,
                g.error_number = l_error_number, g.error_message = l_error_message, g.error_backtrace = in_error_backtrace,
                g.error_procedure = in_error_procedure, g.error_line = in_error_line
            where g.log_id = l_task.log_id;
        end write_down;

        -- The process is halted: in the same transaction, tasks that have not started are skipped.
        procedure halt is
        begin
            update {{.P}}tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.unfinished_process_id = l_process_id and t.status in ('Pending', 'Waiting');

            {{.P}}resource.leave_line(l_process_id);
            l_process.status := 'Failed';
            alarm('ProcessFailed', 'Task ' || in_task_id || ' failed, so its process was halted. Tasks that had not started were skipped. Fix the cause, then call retry_process. ' || substrb(l_error_message, 1, 1500),
                  l_process_id, in_task_id, l_task.lane_id);
            {{.P}}schedule.next_firing(l_process_id);
        end halt;

    begin
        out_lost := 'N';
        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1;

        -- Completions of a process are serialized: the last one of a wave must see that it is the last.
        begin
            select t.process_id into l_process_id from {{.P}}tasks t where t.task_id = in_task_id;
            select p.* into l_process from {{.P}}processes p where p.process_id = l_process_id for update wait 10;

            select t.* into l_task
            from {{.P}}tasks t
            where t.task_id = in_task_id and t.attempt = in_attempt and t.worker_id = in_worker_id and t.status in ('Running', 'Stopping')
            for update wait 10;
        exception
            when no_data_found then
                out_lost := 'Y';
                return;
        end;

        decide;
        write_down;
        if l_new_status in ('Failed', 'TimedOut') and l_process.on_error = 'Halt' and l_process.status in ('Open', 'Closing') then
            halt;
        elsif l_new_status in ('Failed', 'TimedOut') and l_process_id = 0 then
            alarm('ScheduleFailed', 'A schedule fired, but its process could not be made, see {{.PU}}SCHEDULE_LOG. ' || substrb(l_error_message, 1, 1500), 0, in_task_id, l_task.lane_id);
        end if;
        if l_new_status in ('Failed', 'TimedOut', 'Cancelled') and l_process_id = 0 then
            {{.P}}schedule.next_firing(0, in_task_id);
        end if;
        -- Without the task's number: one alarm for all tasks with the same trouble.
        if l_log_outcome = 'Outage' then
            alarm('Outage', 'The server could not begin a task, which is not the task''s fault. Such tasks wait (wait_reason Outage) and'
                || ' are tried again, for outage_seconds at most. ' || substrb(l_error_message, 1, 1500), l_process_id, in_task_id, l_task.lane_id);
        end if;
        -- Release its resource, and those that it acquired itself. A retry gets in line again.
        {{.P}}resource.leave_line(l_process_id, in_task_id);

        update {{.P}}processes p
        set p.running = greatest(p.running - 1, 0),
            p.tasks_succeeded = p.tasks_succeeded + case when l_new_status = 'Succeeded' then 1 else 0 end,
            p.tasks_failed = p.tasks_failed + case when l_new_status in ('Failed', 'TimedOut') then 1 else 0 end,
            p.has_work = case when l_process.status in ('Open', 'Closing') then p.has_work else 'N' end,
            p.wave_order = case when l_new_status <> 'Pending' then p.wave_order end,
            p.status = case when p.status in ('Open', 'Closing') then l_process.status else p.status end,
            p.finished_at = case when p.finished_at is null and l_process.status = 'Failed' then l_now else p.finished_at end
        where p.process_id = l_process_id;

        end_wave(l_process_id, l_task.execution_order, 0, 1, in_outcome = 'Orphaned');

        -- A retry needs the dispatcher's clock.
        if l_new_status = 'Waiting' then
            {{.P}}wake.send_now;
        end if;
    end try_complete;

    procedure complete_within (
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_rows in number)
    is
        l_tries pls_integer := 0;
        l_lost varchar2(1);
    begin
        savepoint work_done;
        loop
            begin
                try_complete(in_worker_id, in_task_id, in_attempt, 'Succeeded', in_rows, null, null, null, null, null, l_lost);
                exit;
            exception
                when others then
                    rollback to savepoint work_done;
                    l_tries := l_tries + 1;
                    if l_tries > 5 then
                        raise;
                    end if;
            end;
            dbms_session.sleep(0.05);
        end loop;

        if l_lost = 'Y' then
            raise_application_error(-20099, 'dbsched 20099: task ' || in_task_id || ' no longer belongs to this worker.');
        end if;
    end complete_within;

    procedure complete (
        in_worker_id in varchar2, in_task_id in number, in_attempt in number, in_outcome in varchar2, in_rows in number, in_error_number in number,
        in_error_message in varchar2, in_error_backtrace in varchar2, in_error_procedure in varchar2, in_error_line in number, out_lost out varchar2)
    is
        l_tries pls_integer := 0;
        l_held boolean;
        l_text varchar2(2000);
    begin
        loop
            begin
                rollback;
                try_complete(in_worker_id, in_task_id, in_attempt, in_outcome, in_rows, in_error_number,
                             in_error_message, in_error_backtrace, in_error_procedure, in_error_line, out_lost);
                if out_lost = 'Y' then
                    rollback;
                else
                    commit write immediate wait;
                end if;
                return;
            exception
                when others then
                    l_text := substrb(sqlerrm, 1, 1500);
                    l_held := sqlcode in (-54, -30006);
                    rollback;
                    l_tries := l_tries + 1;
            end;

            -- The work is done and must not be done twice, so its worker never gives up. A session that only reports a dead worker
            -- gives up, at once if another one holds the process; the next sweep, or worker in its lane, tries again.
            if mod(l_tries, 20) = 16 then
                begin
                    alarm('LostCompletion', 'The end of an attempt cannot be recorded, and is retried: ' || l_text, in_task_id => in_task_id);
                    commit write immediate wait;
                exception
                    when others then
                        rollback;
                end;
            end if;
            if in_outcome = 'Orphaned' and (l_tries = 16 or (l_held and in_error_number = 20023)) then -- 20023: see recover
                out_lost := 'Y';
                return;
            end if;
            dbms_session.sleep(case when l_tries <= 5 then 0.05 else 3 end);
        end loop;
    end complete;
