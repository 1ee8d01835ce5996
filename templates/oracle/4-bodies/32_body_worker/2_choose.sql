    -- The first claimable task of a process, by the claim's index: no sort, whatever the number of tasks. The hint is needed:
    -- the optimizer assumes that all rows are fetched, where a scan and a sort cost less, and statistics of a queue are stale.
    procedure pick (in_process_id in number, out_task out {{.P}}tasks%rowtype) is
        cursor c_first is
            select /*+ index(t (claim_process_id claim_order claim_priority claim_expected claim_task_id)) */ t.*
            from {{.P}}tasks t
            where t.claim_process_id = in_process_id
              and t.claim_order = (select min(u.unfinished_order) from {{.P}}tasks u where u.unfinished_process_id = in_process_id)
            order by t.claim_priority, t.claim_expected, t.claim_task_id;
    begin
        open c_first;
        fetch c_first into out_task;
        close c_first;
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

    -- Whether the worker may claim, under the settings row's lock. out_result: NULL = yes, else why not. io_counted: the number of workers
    -- for which the lanes were last counted, and this one has been Busy since; NULL = it is not.
    procedure ask_leave (
        in_lane_id in number, in_worker_id in varchar2, in_version in varchar2, in_settings in {{.P}}settings%rowtype, in_succeeded in boolean,
        io_counted in out number, out_result out varchar2)
    is
        l_mine pls_integer;
        l_condemned pls_integer;
        l_others pls_integer;
    begin
        if in_settings.started = 'N' or in_settings.version <> in_version or is_copy(in_settings) then
            out_result := 'Stopped';
        end if;

        -- Who has just ended an attempt that nobody was stopping has its lane, and it is not condemned.
        if in_succeeded and io_counted <= in_settings.max_workers then
            return;
        end if;

        -- A worker that was considered dead but is not no longer has a lane.
        select count(*), count(l.condemned_by) into l_mine, l_condemned
        from {{.P}}lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        if l_condemned > 0 then
            -- A STOP_JOB meant for the last attempt may still arrive and would end the next one, so the worker leaves. Leave tells
            -- the dispatcher, which after a stop may be waiting for this session only.
            out_result := 'Limit';
        elsif l_mine = 0 then
            out_result := 'Stopped';
        elsif out_result is null and in_lane_id <= 1000 and (io_counted is null or io_counted > in_settings.max_workers) then
            select count(*) into l_others
            from {{.P}}lanes l
            where l.lane_id <= in_settings.max_lanes and l.lane_id <> in_lane_id and l.state in ('Starting', 'Assigned', 'Busy');

            -- A lane above the installed number must end, whatever the others do.
            if l_others >= in_settings.max_workers or in_lane_id > in_settings.max_lanes then
                out_result := 'Limit';
            end if;
        end if;
        io_counted := in_settings.max_workers;
    end ask_leave;

    -- Locks a process, unless another session holds it for 50 milliseconds, such as one that halts it with very many tasks: all workers wait
    -- for this claim. A completion can hold it for a moment; later statements see its changes.
    procedure lock_soon (in_process_id in number, out_process out {{.P}}processes%rowtype) is
    begin
        for i in 1 .. 6 loop
            begin
                select p.* into out_process from {{.P}}processes p where p.process_id = in_process_id for update nowait;
                exit;
            exception
                when {{.P}}base.e_busy then
                    if i = 6 then
                        raise;
                    end if;
                    dbms_session.sleep(0.01);
            end;
        end loop;
    end lock_soon;

    -- The next task by policy; its process is locked. in_locked: the process of an attempt that has ended, which is locked already and still
    -- counts it; no other is locked beside it, because two workers could hold what the other waits for. out_passed: a process was skipped
    -- for that, or because another session held its row.
    procedure choose_task (in_policy in varchar2, in_locked in number, out_task out {{.P}}tasks%rowtype, out_passed out boolean) is
        l_process {{.P}}processes%rowtype;

        -- Under the settings row's lock there is no other claim, so the order does not change while the rows are read.
        cursor c_processes is
            select p.process_id
            from {{.P}}processes p
            where p.work_process_id >= 0
              and p.status in ('Open', 'Closing')
              and (p.max_parallel is null or p.running - case p.process_id when in_locked then 1 else 0 end < p.max_parallel)
            order by case when in_policy = 'RoundRobin' then (p.running - case p.process_id when in_locked then 1 else 0 end) / p.weight else 0 end,
                     case when in_policy = 'RoundRobin' then p.last_served_at end nulls first,
                     case when in_policy = 'Priority' then 0 - p.priority else 0 end,
                     p.process_id;
    begin
        out_passed := false;

        -- Each pick is a separate statement: it sees what the last holder of the settings row's lock committed.
        for r in c_processes loop
            if r.process_id <> in_locked then
                out_passed := true;
                exit;
            end if;

            begin
                if in_locked is null then
                    lock_soon(r.process_id, l_process);
                    continue when l_process.status not in ('Open', 'Closing') or l_process.running >= l_process.max_parallel;
                end if;

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

