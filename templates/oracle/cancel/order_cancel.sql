    -- Finds the process, checks its owner before it locks anything that workers need, and locks it.
    procedure take_process (in_task_id in number, in_process_id in number, out_process_id out number, out_status out varchar2) is
        l_by varchar2(140);
    begin
        out_process_id := in_process_id;

        if in_task_id is not null then
            select max(t.process_id), max(t.enqueued_by) into out_process_id, l_by from {{.P}}tasks t where t.task_id = in_task_id;
            if out_process_id is null then
                {{.P}}base.fail(20024, 'there is no task ' || in_task_id || '.');
            end if;
            {{.P}}rights.require_owner(l_by, 20025, 'task ' || in_task_id);
        else
            select max(p.created_by) into l_by from {{.P}}processes p where p.process_id = in_process_id;
            if l_by is null or in_process_id = 0 then
                {{.P}}base.fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
            end if;
            {{.P}}rights.require_owner(l_by, 20006, 'process ' || in_process_id);
        end if;

        select p.status into out_status from {{.P}}processes p where p.process_id = out_process_id for update wait 5;
    exception
        -- It ended so long ago that it was deleted.
        when no_data_found then
            out_status := null;
        when {{.P}}base.e_held or {{.P}}base.e_busy then
            {{.P}}base.fail(20011, 'an open transaction has locked the process; try again when it has ended.');
    end take_process;

    procedure order_cancel (in_task_id in number, in_process_id in number default null) is
        pragma autonomous_transaction;
        l_process_id number;
        l_status varchar2(10);
        l_started varchar2(1);
        l_running pls_integer := 0;
        l_now timestamp with time zone := {{.P}}base.utc_now;
    begin
        {{.P}}base.begin_transaction;
        take_process(in_task_id, in_process_id, l_process_id, l_status);

        -- Waiting requests of the process no longer matter.
        if in_task_id is null then
            update {{.P}}processes p
            set p.status = 'Cancelled', p.finished_at = l_now, p.has_work = 'N'
            where p.process_id = l_process_id and p.finished_at is null;
        end if;

        -- Due now: the dispatcher ends the sessions. Cancelled overrides a timeout, which might be retried. By the index of running
        -- tasks: as many rows as there are workers, whatever the number of tasks.
        for r in (select /*+ index(t (lane_id)) */ t.task_id
                  from {{.P}}tasks t
                  where t.lane_id > 0 and t.process_id = l_process_id and (in_task_id is null or t.task_id = in_task_id))
        loop
            update {{.P}}tasks t
            set t.status = 'Stopping', t.stop_outcome = 'Cancelled', t.stop_at = case when t.status = 'Running' then l_now else t.stop_at end
            where t.task_id = r.task_id and t.status in ('Running', 'Stopping');
            l_running := l_running + sql%rowcount;
        end loop;

        -- Uncommitted tasks are not visible yet; the sweep skips them if their process has ended by then.
        if in_task_id is null then
            update {{.P}}tasks t
            set t.status = 'Cancelled', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.unfinished_process_id = l_process_id and t.status in ('Pending', 'Waiting');
        else
            update {{.P}}tasks t
            set t.status = 'Cancelled', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.task_id = in_task_id and t.status in ('Pending', 'Waiting');
        end if;

        {{.P}}resource.leave_line(l_process_id);
        {{.P}}schedule.next_firing(case when in_task_id is null then l_process_id else 0 end, in_task_id); -- schedules after resources, as at an end

        -- The next wave may begin, or the process may be finished.
        if in_task_id is not null and l_status in ('Open', 'Closing') then
            update {{.P}}processes p set p.has_work = 'Y' where p.process_id = l_process_id;
            {{.P}}worker.close_if_done(l_process_id);
        end if;

        {{.P}}wake.send_now;
        commit write immediate wait;

        -- A stopped scheduler has no dispatcher for the message to wake.
        if l_running > 0 then
            select s.started into l_started from {{.P}}settings s where s.settings_id = 1;
            if l_started = 'N' then
                run_dispatcher;
            end if;
        end if;
    end order_cancel;
