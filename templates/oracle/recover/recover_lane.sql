    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null) is
        l_last number := 0;
        l_task_id number;
        l_log_id number;
        l_worker_id varchar2(32);
        l_lost varchar2(1);
        l_held varchar2(1) := 'N';
        l_process_id number;
    begin
        loop
            -- The hint: if the table is empty, or was when statistics were gathered, the primary key seems as cheap, and all of it
            -- would be read from then on.
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id
            from {{.P}}tasks t
            where t.lane_id = in_lane_id and t.task_id > l_last;

            exit when l_task_id is null;

            select max(t.log_id), max(t.worker_id), max(t.process_id) into l_log_id, l_worker_id, l_process_id
            from {{.P}}tasks t
            where t.task_id = l_task_id and t.lane_id = in_lane_id;

            -- Tested after reading the row: if there is no worker now, the one in the row is dead.
            exit when in_worker_id is null and not lane_dead(in_lane_id);

            if in_worker_id is null then -- the dispatcher must not wait for a process that another session holds
                {{.P}}base.lock_process(l_process_id, l_held);
                rollback;
            end if;
            if l_held = 'N' and l_worker_id <> nvl(in_worker_id, 'none') then
                complete(l_worker_id, l_task_id, l_log_id, 'Orphaned', null, 20023, 'dbsched 20023: the worker died while it ran this task.', null, l_lost);
            end if;

            l_last := l_task_id;
        end loop;
    end recover;
