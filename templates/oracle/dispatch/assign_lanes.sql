    -- Counts the Pending tasks of each process's wave, up to the number that matters. The settings row is locked.
    function runnable_tasks (in_enough in number) return number is
        l_runnable number := 0;
        l_order number;
        l_key number;
        l_pending number;
    begin
        for r in (select p.process_id, p.max_parallel, p.running, p.wave_order, p.wave_key
                  from {{.P}}processes p
                  where p.work_process_id >= 0
                    and p.status in ('Open', 'Closing')
                    and (p.max_parallel is null or p.running < p.max_parallel))
        loop
            {{.P}}worker.find_wave(r.process_id, r.wave_order, r.wave_key, r.running, l_order, l_key);

            select count(*) into l_pending
            from {{.P}}tasks t
            where t.claim_process_id = r.process_id and t.claim_order = l_order and t.claim_key > l_key and rownum <= in_enough;

            l_runnable := l_runnable + least(l_pending, nvl(r.max_parallel - r.running, l_pending));
            exit when l_runnable >= in_enough;
        end loop;

        return l_runnable;
    end runnable_tasks;

    procedure assign (out_given out varchar2, out_later out varchar2) is
        l_started varchar2(1);
        l_max_workers number;
        l_max_lanes number;
        l_runnable number;
        l_active pls_integer;
        l_coming pls_integer;
        l_wanted number;
        l_lane_id number;
        l_checked boolean := false;
        l_dead boolean;
        l_now timestamp with time zone;
        l_held varchar2(1);
    begin
        rollback;
        out_given := 'N';
        out_later := 'N';

        loop
            select s.started, s.max_workers, s.max_lanes
            into l_started, l_max_workers, l_max_lanes
            from {{.P}}settings s
            where s.settings_id = 1
            for update wait 10;

            if l_started = 'N' then
                rollback;
                return;
            end if;

            -- Enqueuers cannot mark processes: they would hold the row until they commit. Halting or canceling a process with
            -- very many tasks holds its row for long; it is then marked a turn later, because all claims wait for
            -- this session.
            for r in (select p.process_id
                      from {{.P}}processes p
                      where p.open_process_id > 0
                        and p.has_work = 'N'
                        and p.status in ('Open', 'Closing')
                        and (exists (select 1 from {{.P}}wake_sent w where w.process_id = p.process_id)
                             or exists (select 1 from {{.P}}tasks t
                                        where t.claim_process_id = p.process_id and t.claim_order = p.wave_order and t.claim_key > p.wave_key)
                             or exists (select 1 from {{.P}}tasks t
                                        where t.claim_process_id = p.process_id and t.claim_order > nvl(p.wave_order, -2147483649))))
            loop
                {{.P}}base.lock_process(r.process_id, l_held);
                if l_held = 'Y' then
                    out_later := 'Y';
                else
                    update {{.P}}processes p set p.has_work = 'Y' where p.process_id = r.process_id and p.status in ('Open', 'Closing');
                end if;
            end loop;

            l_runnable := runnable_tasks(l_max_workers);

            -- There is no work, so idle lanes need not be read.
            if l_runnable = 0 then
                commit write immediate wait;
                return;
            end if;

            -- Lanes that were just assigned or ordered will take some of these tasks.
            l_now := {{.P}}base.utc_now;

            select count(*), count(case when (l.state = 'Assigned' and l.state_at > l_now - interval '2' second)
                                          or (l.state = 'Starting' and l.state_at > l_now - interval '10' second) then 1 end)
            into l_active, l_coming
            from {{.P}}lanes l
            where l.lane_id <= l_max_lanes and l.state in ('Starting', 'Assigned', 'Busy');

            l_wanted := least(l_runnable - l_coming, l_max_workers - l_active);
            exit when l_checked;

            -- A waiting session may have been killed, and its task would wait for the sweep. So the lanes to be given are checked.
            l_dead := false;
            for r in (
                select i.lane_id
                from (select l.lane_id from {{.P}}lanes l where l.lane_id <= l_max_lanes and l.state = 'Idle' order by l.lane_id) i
                where rownum <= l_wanted
            ) loop
                l_dead := l_dead or {{.P}}worker.lane_dead(r.lane_id);
            end loop;

            exit when l_runnable <= l_max_workers - l_active and not l_dead;

            -- Too few lanes: check whether the busy ones are alive. These checks need none of dbsched's locks.
            commit write immediate wait;
            free_dead_lanes;
            l_checked := true;
        end loop;

        out_given := 'Y';

        while l_wanted > 0 loop
            -- A session that still waits needs a message, not a job start.
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id <= l_max_lanes and l.state = 'Idle';

            if l_lane_id is not null then
                update {{.P}}lanes l set l.state = 'Assigned', l.state_at = l_now where l.lane_id = l_lane_id;
                {{.P}}wake.send_lane(l_lane_id);
            else
                -- A job that was just turned off may still be ending; RUN_JOB would then fail and be retried.
                select nvl(min(case when l.state_at < l_now - interval '2' second then l.lane_id end), min(l.lane_id)) into l_lane_id
                from {{.P}}lanes l
                where l.lane_id <= l_max_lanes and l.state = 'Off' and l.condemned_by is null;

                exit when l_lane_id is null;

                update {{.P}}lanes l set l.state = 'Starting', l.state_at = l_now, l.ordered_at = null where l.lane_id = l_lane_id;
            end if;

            l_wanted := l_wanted - 1;
        end loop;

        commit write immediate wait;
    end assign;
