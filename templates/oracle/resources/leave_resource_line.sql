    procedure leave_line (in_process_id in number, in_task_id in number default null) is
        co_last_id constant number := 9999999999999999999;
        l_last number := 0;
        l_resource_id number;
        l_capacity number;
    begin
        -- Most tasks name no resource: they cost one index lookup. Bounds instead of OR keep it a lookup for a given task: thousands of
        -- tasks of its process may be in lines.
        loop
            select min(r.resource_id) into l_resource_id
            from {{.P}}resource_requests r
            where r.process_id = in_process_id and r.resource_id > l_last
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from {{.P}}tasks t
                              where t.task_id = r.task_id
                                and (t.finished_at is not null
                                     or (t.status = 'Pending'
                                         and t.execution_order > (select min(e.unfinished_order) from {{.P}}tasks e where e.unfinished_process_id = in_process_id)))));

            exit when l_resource_id is null;
            l_last := l_resource_id;
            l_capacity := lock_line(l_resource_id);

            delete from {{.P}}resource_requests r
            where r.resource_id = l_resource_id and r.process_id = in_process_id
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from {{.P}}tasks t
                              where t.task_id = r.task_id
                                and (t.finished_at is not null
                                     or (t.status = 'Pending'
                                         and t.execution_order > (select min(e.unfinished_order) from {{.P}}tasks e where e.unfinished_process_id = in_process_id)))));

            grant_turns(l_resource_id, l_capacity);
        end loop;
    end leave_line;
