    -- Locks the process of an attempt and its task: completions of a process are serialized, because the last one of a wave must see that it is
    -- the last. out_lost: Y = the task is in another attempt or another worker's, or has ended.
    procedure lock_attempt (
        in_worker_id in varchar2, in_task_id in number, in_log_id in number,
        out_process out {{.P}}processes%rowtype, out_task out {{.P}}tasks%rowtype, out_lost out varchar2)
    is
        l_process_id number;
    begin
        out_lost := 'N';
        select t.process_id into l_process_id from {{.P}}tasks t where t.task_id = in_task_id;
        select p.* into out_process from {{.P}}processes p where p.process_id = l_process_id for update wait 10;

        select t.* into out_task
        from {{.P}}tasks t
        where t.task_id = in_task_id and t.log_id = in_log_id and t.worker_id = in_worker_id and t.status in ('Running', 'Stopping')
        for update wait 10;
    exception
        when no_data_found then
            out_lost := 'Y';
    end lock_attempt;

    -- One attempt of complete; the caller commits.
    procedure try_complete (in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_end in ending, out_lost out varchar2) is
        l_settings {{.P}}settings%rowtype;
        l_process {{.P}}processes%rowtype;
        l_task {{.P}}tasks%rowtype;
        l_end ending := in_end;
    begin
        l_end.ended_at := {{.P}}base.utc_now;
        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1;

        lock_attempt(in_worker_id, in_task_id, in_log_id, l_process, l_task, out_lost);
        if out_lost = 'Y' then
            return;
        end if;

        decide_retry(l_settings, l_process, l_task, l_end);
        record_end(l_task, l_end);
        fail_task(l_process, l_task, l_end);

        -- Release its resource, and those that it acquired itself. A retry gets in line again.
        {{.P}}resource.leave_line(l_process.process_id, in_task_id);

        -- A task that is Pending again may be before the watermark.
        update {{.P}}processes p
        set p.running = greatest(p.running - 1, 0),
            p.tasks_succeeded = p.tasks_succeeded + case when l_end.new_status = 'Succeeded' then 1 else 0 end,
            p.tasks_failed = p.tasks_failed + case when l_end.new_status in ('Failed', 'TimedOut') then 1 else 0 end,
            p.has_work = case when p.status in ('Open', 'Closing') then p.has_work else 'N' end,
            p.wave_order = case when l_end.new_status <> 'Pending' then p.wave_order end
        where p.process_id = l_process.process_id;

        end_wave(l_process.process_id, l_task.execution_order, 0, 1, l_end.outcome = 'Orphaned');

        -- A retry needs the dispatcher's clock.
        if l_end.new_status = 'Waiting' then
            {{.P}}wake.send_now;
        end if;
    end try_complete;

    procedure complete_within (in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_rows in number) is
        l_end ending;
        l_tries pls_integer := 0;
        l_lost varchar2(1);
    begin
        l_end.outcome := 'Succeeded';
        l_end.row_count := in_rows;

        savepoint work_done;
        loop
            begin
                try_complete(in_worker_id, in_task_id, in_log_id, l_end, l_lost);
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
        in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_outcome in varchar2, in_rows in number, in_error_number in number,
        in_error_message in varchar2, in_error_backtrace in varchar2, out_lost out varchar2)
    is
        l_end ending;
        l_tries pls_integer := 0;
        l_held boolean;
        l_text varchar2(2000);
    begin
        l_end.outcome := in_outcome;
        l_end.row_count := in_rows;
        l_end.error_number := in_error_number;
        l_end.error_message := in_error_message;
        l_end.error_backtrace := in_error_backtrace;
        if in_error_message is not null then
            locate(in_error_message, in_error_backtrace, l_end.error_procedure, l_end.error_line);
        end if;

        loop
            begin
                rollback;
                try_complete(in_worker_id, in_task_id, in_log_id, l_end, out_lost);
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
