    function current_task return {{.P}}tasks%rowtype is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_task {{.P}}tasks%rowtype;
    begin
        -- Not a join, for which all tasks might be read. The lane may still have a task of a dead worker.
        select /*+ index(t (lane_id)) */ t.* into l_task
        from {{.P}}tasks t
        where t.lane_id = (select max(l.lane_id) from {{.P}}lanes l where l.session_key = l_key)
          and t.worker_id = (select max(l.worker_id) from {{.P}}lanes l where l.session_key = l_key);

        return l_task;
    exception
        when no_data_found then
            return l_task;
    end current_task;
