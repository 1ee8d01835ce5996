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
                end_wave(in_ended.process_id, l_order, 1, 1);
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
                end_wave(in_ended.process_id, l_order, 1, 0);
            end if;

            if l_passed and out_result is null then
                out_result := case when in_ended.task_id is null then 'Held' else 'Again' end;
            else
                rest(in_lane_id, in_worker_id, in_waited, out_result);
            end if;
        -- The ended attempt may have left a resource, and who holds the lock on one must not wait for that of another.
        elsif l_order is not null and out_task.resource_id is not null then
            end_wave(in_ended.process_id, l_order, 1, 1);
            out_result := 'Again';
        -- One transaction each: a wave may have many of them, and all workers wait for the settings row.
        elsif skipped_as_duplicate(out_task) or waits_in_line(out_task) then
            out_result := 'Again';
            update {{.P}}processes p
            set p.wave_key = out_task.claim_key
            where p.process_id = out_task.process_id and p.wave_order = out_task.execution_order;
        else
            start_attempt(in_lane_id, in_worker_id, l_busy, case when l_recorded then 1 else 0 end, out_task, out_log_id);
            out_result := 'Task';
{{- if .Runner}}
            refuse_gone(out_task);
{{- end}}

            -- A new wave may need more workers than this one.
            if out_task.execution_order > l_order and l_had_work = 'Y' then
                end_wave(in_ended.process_id, l_order, 0, 0);
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
