    procedure cancel_running is
        l_last number := 0;
        l_task_id number;
        l_marked pls_integer := 0;
    begin
        loop
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id from {{.P}}tasks t where t.lane_id > 0 and t.task_id > l_last;
            exit when l_task_id is null;
            l_last := l_task_id;

            {{.P}}base.begin_transaction;
            for k in (select p.process_id from {{.P}}processes p
                      where p.process_id = (select t.process_id from {{.P}}tasks t where t.task_id = l_task_id) for update wait 30) loop
                update {{.P}}tasks t
                set t.status = 'Stopping', t.stop_outcome = 'Cancelled', t.stop_at = systimestamp at time zone '+00:00'
                where t.task_id = l_task_id and t.status in ('Running', 'Stopping');

                l_marked := l_marked + sql%rowcount;
            end loop;
            commit write immediate wait;
        end loop;

        -- The dispatcher ends their sessions, even if the scheduler is stopped.
        if l_marked > 0 then
            {{.P}}wake.send_now;
            commit write immediate wait;
            run_dispatcher;
        end if;
    end cancel_running;
