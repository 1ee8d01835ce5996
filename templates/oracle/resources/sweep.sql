    procedure sweep is
        l_last number := 0;
        l_process_id number;
        l_held varchar2(1);
    begin
        free_stale;

        -- Requests of tasks that have ended; normally there are none. And of tasks that hold their resource, but cannot start because an
        -- earlier wave got tasks meanwhile, which may need it: they line up again.
        loop
            select min(r.process_id) into l_process_id
            from {{.P}}resource_requests r
            inner join {{.P}}tasks t on t.task_id = r.task_id
            where r.process_id > l_last
              and (t.finished_at is not null
                   or (t.status = 'Pending'
                       and t.execution_order > (select min(e.unfinished_order) from {{.P}}tasks e where e.unfinished_process_id = r.process_id)));

            exit when l_process_id is null;
            l_last := l_process_id;

            {{.P}}base.begin_transaction;
            {{.P}}base.lock_process(l_process_id, l_held);
            if l_held = 'N' then
                leave_line(l_process_id);
            end if;
            commit write immediate wait;
        end loop;
    end sweep;
