    -- One attempt of claim, in one transaction: settings, process, task, resource, log and lane, in this order. out_result Again: release the
    -- settings row to others, then look again; Held: after a moment, because another session holds what may be claimed.
    procedure try_claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_ended in attempt,
        io_counted in out number, out_result out varchar2, out_task out {{.P}}tasks%rowtype)
    is
        l_settings {{.P}}settings%rowtype;
        l_ended attempt := in_ended;
        l_busy boolean := io_counted is not null;
        l_passed boolean := false;
        l_admitted boolean := false;
{{- if .Runner}}
        l_none {{.P}}tasks%rowtype;
{{- end}}
    begin
        -- Claims come one at a time: each sees what the last one committed, and none is in progress once stop_scheduler has changed the row.
        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1 for update wait 10;

        -- The last attempt ends first: it may free what the next task needs.
        if l_ended.task_id is not null then
            succeed_task(in_worker_id, l_ended);

            if not l_ended.recorded then
                out_result := 'Succeeded';
                rollback;
                return;
            end if;

            -- Without this mark the claim would pass the process.
            if l_ended.had_work = 'N' then
                end_wave(l_ended.process_id, l_ended.execution_order, 1, 1);
            end if;
        end if;

        may_claim(in_lane_id, in_worker_id, in_version, l_settings, l_ended.task_id is not null, io_counted, out_result);

        if out_result is null then
            choose_process(l_settings.policy, l_ended.process_id, out_task, l_passed);
{{- if .Runner}}

            if other_submitter(in_lane_id, in_worker_id, out_task) then
                out_task := l_none;
                out_result := 'Limit';
            end if;
{{- end}}
        end if;

        if out_task.task_id is not null then
            admit_task(l_ended, out_task, l_admitted);
            out_result := case when l_admitted then 'Task' else 'Again' end;
        else
            -- The worker leaves all of the next wave to others.
            if l_ended.task_id is not null then
                end_wave(l_ended.process_id, l_ended.execution_order, 1, 0);
            end if;

            if l_passed and out_result is null then
                out_result := case when l_ended.task_id is null then 'Held' else 'Again' end;
            else
                rest(in_lane_id, in_worker_id, in_waited, out_result);
            end if;
        end if;

        if l_admitted then
            start_attempt(in_lane_id, in_worker_id, l_busy, l_ended, out_task);
        elsif l_ended.task_id is not null then
            update {{.P}}processes p
            set p.running = greatest(p.running - 1, 0), p.tasks_succeeded = p.tasks_succeeded + 1
            where p.process_id = l_ended.process_id;
        end if;

        -- Lanes are counted again for a worker that is not Busy.
        if out_result <> 'Task' and (out_result not in ('Again', 'Held') or not l_busy) then
            io_counted := null;
        end if;

        commit write immediate wait;
    end try_claim;

    procedure claim (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_waited in varchar2, in_rows in number,
        io_counted in out number, io_task_id in out number, io_log_id in out number,
        out_result out varchar2, out_sql out clob, out_parameters out clob, out_transactional out varchar2)
    is
        l_none attempt;
        l_ended attempt;
        l_task {{.P}}tasks%rowtype;
        l_tries pls_integer := 0;
    begin
        l_ended.task_id := io_task_id;
        l_ended.log_id := io_log_id;
        l_ended.row_count := in_rows;

        loop
            begin
                rollback;
                try_claim(in_lane_id, in_worker_id, in_version, in_waited, l_ended, io_counted, out_result, l_task);
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

        -- Succeeded: complete needs to know which attempt.
        if out_result <> 'Succeeded' then
            io_task_id := l_task.task_id;
            io_log_id := l_task.log_id;
        end if;

        if out_result = 'Task' then
            out_sql := l_task.sql_text;
            out_parameters := l_task.parameters;
            out_transactional := l_task.transactional;
            -- For audit trails and for those who watch sessions: the user that the session acts for, and the task.
            dbms_session.set_identifier(substrb({{.P}}rights.name_of(l_task.enqueued_by), 1, 40) || ' T' || l_task.task_id);
            dbms_application_info.set_action('P' || l_task.process_id || ' T' || l_task.task_id);
        end if;
    end claim;
