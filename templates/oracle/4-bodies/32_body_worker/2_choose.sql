    -- The first claimable task of a process, by the claim's index: no sort, whatever the number of tasks. The hint is needed:
    -- the optimizer assumes that all rows are fetched, where a scan and a sort cost less, and statistics of a queue are stale.
    procedure pick (in_process_id in number, out_task out candidate) is
        cursor c_first (in_order in number) is
            select /*+ index(t (claim_process_id claim_order claim_priority claim_expected claim_task_id)) */
                t.task_id, t.process_id, t.execution_order, t.attempt + 1, t.sql_text, t.enqueued_by, t.resource_id, t.access_mode,
                t.timeout_seconds, t.parameters, t.transactional, t.dedup_key
            from {{.P}}tasks t
            where t.claim_process_id = in_process_id and t.claim_order = in_order
            order by t.claim_priority, t.claim_expected, t.claim_task_id;
        l_lowest number;
    begin
        select min(t.unfinished_order) into l_lowest
        from {{.P}}tasks t
        where t.unfinished_process_id = in_process_id;

        if l_lowest is not null then
            open c_first(l_lowest);
            fetch c_first into out_task;
            close c_first;
        end if;
    end pick;

    -- The beginning of a text, for its log row. A character beyond the basic plane is two units in a CLOB; it must not be cut.
    function head_of (in_sql in clob) return varchar2 is
        e_boundary exception; pragma exception_init(e_boundary, -22831);
    begin
        return substr(in_sql, 1, 1000);
    exception
        when e_boundary then
            return substr(in_sql, 1, 999);
    end head_of;

    -- Locks the settings row until the claim's commit, and checks whether the worker may claim. out_result: NULL = yes, else why not.
    procedure ask_leave (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        out_result out varchar2,
        out_policy out varchar2,
        out_linger out number)
    is
        l_started varchar2(1);
        l_version varchar2(30);
        l_home varchar2(400);
        l_max_workers number;
        l_max_lanes number;
        l_others pls_integer;
        l_mine pls_integer;
        l_condemned pls_integer;
    begin
        select s.started, s.version, s.home, s.policy, s.max_workers, s.max_lanes, s.linger_seconds
        into l_started, l_version, l_home, out_policy, l_max_workers, l_max_lanes, out_linger
        from {{.P}}settings s
        where s.settings_id = 1
        for update wait 10;

        -- A worker that was considered dead but is not no longer has a lane.
        select count(*), count(l.condemned_by) into l_mine, l_condemned
        from {{.P}}lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        if l_condemned > 0 then
            -- A STOP_JOB meant for the last attempt may still arrive and would end the next one, so the worker leaves. Leave tells
            -- the dispatcher, which after a stop may be waiting for this session only.
            out_result := 'Limit';
        elsif l_started = 'N' or l_version <> in_version or l_mine = 0 or is_copy(l_home) then
            out_result := 'Stopped';
        elsif in_lane_id <= 1000 then
            select count(*) into l_others
            from {{.P}}lanes l
            where l.lane_id <= l_max_lanes and l.lane_id <> in_lane_id and l.state in ('Starting', 'Assigned', 'Busy');

            -- A lane above the installed number must end, whatever the others do.
            if l_others >= l_max_workers or in_lane_id > l_max_lanes then
                out_result := 'Limit';
            end if;
        end if;
    end ask_leave;

    -- The next task by policy; its process is locked. out_passed: a process was skipped because another session held its row.
    procedure choose_task (in_policy in varchar2, out_task out candidate, out_passed out boolean) is
        l_usable number;

        -- Under the settings row's lock there is no other claim, so the order does not change while the rows are read.
        cursor c_processes is
            select p.process_id
            from {{.P}}processes p
            where p.work_process_id >= 0
              and p.status in ('Open', 'Closing')
              and (p.max_parallel is null or p.running < p.max_parallel)
            order by case when in_policy = 'RoundRobin' then p.running / p.weight else 0 end,
                     case when in_policy = 'RoundRobin' then p.last_served_at end nulls first,
                     case when in_policy = 'Priority' then 0 - p.priority else 0 end,
                     p.process_id;
    begin
        out_passed := false;

        -- Each pick is a separate statement: it sees what the last holder of the settings row's lock committed.
        for r in c_processes loop
            -- A completion can hold the row for a moment; later statements see its changes. Halting or canceling a process
            -- with very many tasks holds it for long, and all workers wait for this claim.
            begin
                select p.process_id into l_usable
                from {{.P}}processes p
                where p.process_id = r.process_id
                  and p.status in ('Open', 'Closing')
                  and (p.max_parallel is null or p.running < p.max_parallel)
                for update wait 1;

                pick(r.process_id, out_task);
                exit when out_task.task_id is not null;
                update {{.P}}processes p set p.has_work = 'N' where p.process_id = r.process_id;
            exception
                when no_data_found then
                    null;
                when {{.P}}base.e_held or {{.P}}base.e_busy then
                    out_passed := true;
            end;
        end loop;
    end choose_task;

