    procedure run_firing (in_firing_id in number) is
        l_task {{.P}}tasks%rowtype := {{.P}}rights.current_task;
        l_row {{.P}}schedules%rowtype;
        l_firing {{.P}}schedule_firings%rowtype;
        l_process_id number;
        l_ids clob;
    begin
        begin
            select f.* into l_firing from {{.P}}schedule_firings f where f.firing_id = in_firing_id and f.task_id = l_task.task_id;
        exception
            when no_data_found then
                {{.P}}base.fail(20078, 'run_firing is for the task of a firing. To start a schedule now, call run_schedule.');
        end;
        begin
            select s.* into l_row from {{.P}}schedules s where s.schedule_id = l_firing.schedule_id;
        exception
            when no_data_found then
                return; -- it was dropped
        end;
        -- What its new owner wrote must not run in the name of the old one.
        if not {{.P}}rights.same_user(l_row.owner, l_task.enqueued_by) then
            {{.P}}base.fail(20072, 'the schedule has another owner since it fired. To start it now, as the new owner, call run_schedule.');
        end if;
        create_process(
            l_firing.name || ' ' || to_char(nvl({{.P}}schedule.local_time(l_firing.due_at, l_row.zone), l_firing.due_at), 'YYYY-MM-DD HH24:MI'),
            l_process_id, in_on_error => l_row.on_error, in_max_parallel => l_row.max_parallel);
        {{.P}}enqueue.add_batch(l_row.tasks, l_process_id, l_ids);
        -- The weight was allowed when the schedule was made or changed, maybe by an administrator.
        update {{.P}}processes p
        set p.weight = l_row.weight, p.status = 'Closing', p.close_requested = 'Y', p.schedule_id = l_row.schedule_id, p.firing_id = in_firing_id
        where p.process_id = l_process_id;
    end run_firing;
