create or replace package body {{.P}}dispatch as
    procedure enter (out_state out varchar2) is
        l_held varchar2(1);
        l_me varchar2(24) := dbms_session.unique_session_id;
    begin
        rollback;
        {{.P}}worker.take_lock(0, 5, l_held);
        if l_held = 'N' then
            out_state := 'Stop';
            return;
        end if;

        update {{.P}}settings s
        set s.dispatcher_session = l_me, s.next_sweep_at = null
        where s.settings_id = 1;

        commit write immediate wait;
        out_state := 'Go';
    end enter;

    procedure leave is
        l_me varchar2(24) := dbms_session.unique_session_id;
    begin
        rollback;

        update {{.P}}settings s
        set s.dispatcher_session = null
        where s.settings_id = 1 and s.dispatcher_session = l_me;

        commit write immediate wait;
        {{.P}}worker.release_lock(0);
    end leave;

    -- Carries out what release_process and close_process asked for in transactions that have committed. out_later: Y = not all.
    procedure apply_requests (out_later out varchar2) is
        l_last number := 0;
        l_request_id number;
        l_process_id number;
        l_action varchar2(7);
        l_passed number := 0;
        l_held varchar2(1);
    begin
        out_later := 'N';

        for i in 1 .. 500 loop
            select min(r.request_id) into l_request_id
            from {{.P}}process_requests r
            where r.request_id > l_last;

            exit when l_request_id is null;

            select max(r.process_id), max(r.action) into l_process_id, l_action
            from {{.P}}process_requests r
            where r.request_id = l_request_id;

            l_last := l_request_id;
            continue when l_process_id = l_passed;
            {{.P}}base.lock_process(l_process_id, l_held);

            if l_held = 'Y' then
                l_passed := l_process_id;
                out_later := 'Y';
                continue;
            end if;

            update {{.P}}processes p
            set p.status = case
                    when l_action = 'Release' and p.status = 'Suspended' then case when p.close_requested = 'Y' then 'Closing' else 'Open' end
                    when l_action = 'Close' and p.status = 'Open' then 'Closing'
                    else p.status
                end,
                p.close_requested = case when l_action = 'Close' then 'Y' else p.close_requested end,
                p.has_work = case when p.finished_at is null then 'Y' else p.has_work end
            -- One that failed before its close was carried out closes when it is tried again.
            where p.process_id = l_process_id and (p.finished_at is null or l_action = 'Close');

            delete from {{.P}}process_requests r where r.request_id = l_request_id;
            {{.P}}worker.close_if_done(l_process_id);

            commit write immediate wait;
        end loop;

        -- A full slice: the rest in the next turn, at once.
        if l_request_id is not null then
            {{.P}}wake.send_now;
            commit write immediate wait;
        end if;
    end apply_requests;

    -- Makes delayed tasks and retries claimable when their time has come, in slices. What is left is due, so the next turn is at once.
    procedure release_due is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_last timestamp(6) := timestamp '1900-01-01 00:00:00';
        l_due timestamp(6);
        l_process_id number;
        l_passed number := 0;
        l_held varchar2(1);
    begin
        for i in 1 .. 50 loop
            select min(t.due_utc) into l_due from {{.P}}tasks t where t.due_utc > l_last;
            exit when l_due is null or l_due > l_now;

            select min(t.process_id) into l_process_id from {{.P}}tasks t where t.due_utc = l_due;
            continue when l_process_id is null;

            if l_process_id <> l_passed then
                {{.P}}base.lock_process(l_process_id, l_held);
            end if;

            if l_process_id = l_passed or l_held = 'Y' then
                l_passed := l_process_id;
                l_last := l_due;
                continue;
            end if;

            update {{.P}}tasks t
            set t.status = 'Pending', t.wait_reason = null, t.due_at = null
            where t.due_utc <= l_now and t.process_id = l_process_id and t.status = 'Waiting' and rownum <= 500;

            update {{.P}}processes p
            set p.has_work = 'Y'
            where p.process_id = l_process_id and p.finished_at is null;

            commit write immediate wait;
        end loop;
    end release_due;

    -- Finds lanes whose worker is gone (killed, or the instance ended), recovers their tasks and turns them off.
    procedure free_dead_lanes is
        l_last number := 0;
        l_lane_id number;
        l_state varchar2(8);
        l_state_at timestamp with time zone;
        l_ordered_at timestamp with time zone;
        l_worker_id varchar2(32);
        l_since timestamp with time zone := {{.P}}base.utc_now - interval '30' second;
        l_locked number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id > l_last
              and (l.state in ('Idle', 'Assigned', 'Busy') or (l.state = 'Starting' and l.ordered_at < l_since));

            exit when l_lane_id is null;
            l_last := l_lane_id;

            -- Of a session that has just called it a day there is no row any more: MAX finds NULL, and no error.
            select max(l.state), max(l.state_at), max(l.ordered_at), max(l.worker_id)
            into l_state, l_state_at, l_ordered_at, l_worker_id
            from {{.P}}lanes l
            where l.lane_id = l_lane_id;

            continue when l_state is null;

            if {{.P}}worker.lane_dead(l_lane_id) then
                {{.P}}worker.recover(l_lane_id);

                {{.P}}base.begin_transaction;
                select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 10;

                if l_state = 'Starting' and l_worker_id is null then
                    -- Ordered half a minute ago, and nobody came: order it again.
                    update {{.P}}lanes l
                    set l.ordered_at = null
                    where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at = l_ordered_at and l.worker_id is null;

                    if sql%rowcount = 1 then
                        {{.P}}worker.alarm('LaneNotStarted', 'The job {{.JobOwner}}.{{.PU}}LANE_' || to_char(l_lane_id, 'FM00')
                            || ' was ordered and did not start within 30 seconds; it is ordered again. See USER_SCHEDULER_JOB_RUN_DETAILS and the parameter job_queue_processes.', in_lane_id => l_lane_id);
                    end if;
                elsif l_lane_id > 1000 then
                    delete from {{.P}}lanes l where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
                else
                    update {{.P}}lanes l
                    set l.state = 'Off', l.state_at = systimestamp at time zone 'UTC', l.ordered_at = null, l.worker_id = null, l.session_id = null,
                        l.session_key = null, l.entered_at = null, l.task_id = null, l.attempt = null
                    where l.lane_id = l_lane_id and l.state = l_state and l.state_at = l_state_at
                      and (l.worker_id = l_worker_id or (l.worker_id is null and l_worker_id is null));
                end if;

                commit write immediate wait;
            end if;
        end loop;
    end free_dead_lanes;

    -- Pending tasks of each process's lowest unfinished order, as far as they matter. The settings row is locked.
    function runnable_tasks (in_enough in number) return number is
        l_runnable number := 0;
        l_order number;
        l_pending number;
    begin
        for r in (select p.process_id, p.max_parallel, p.running
                  from {{.P}}processes p
                  where p.work_process_id > 0
                    and p.status in ('Open', 'Closing')
                    and (p.max_parallel is null or p.running < p.max_parallel))
        loop
            select min(t.unfinished_order) into l_order
            from {{.P}}tasks t
            where t.unfinished_process_id = r.process_id;

            select count(*) into l_pending
            from {{.P}}tasks t
            where t.claim_process_id = r.process_id and t.claim_order = l_order and rownum <= in_enough;

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

            -- Enqueuers cannot mark processes: they would hold the row until they commit.
            -- Who halts or cancels a process with very many tasks holds its row for long: it is marked a turn later, since everybody
            -- who claims waits for this one.
            for r in (select p.process_id
                      from {{.P}}processes p
                      where p.open_process_id > 0
                        and p.has_work = 'N'
                        and p.status in ('Open', 'Closing')
                        and exists (select 1 from {{.P}}tasks t where t.claim_process_id = p.process_id))
            loop
                {{.P}}base.lock_process(r.process_id, l_held);
                if l_held = 'Y' then
                    out_later := 'Y';
                else
                    update {{.P}}processes p set p.has_work = 'Y' where p.process_id = r.process_id and p.status in ('Open', 'Closing');
                end if;
            end loop;

            l_runnable := runnable_tasks(l_max_workers);

            -- Nothing to give away: whoever is idle may stay so, unread.
            if l_runnable = 0 then
                commit write immediate wait;
                return;
            end if;

            -- A lane that was assigned or ordered a moment ago is on its way to one of these tasks.
            l_now := {{.P}}base.utc_now;

            select count(*), count(case when (l.state = 'Assigned' and l.state_at > l_now - interval '2' second)
                                          or (l.state = 'Starting' and l.state_at > l_now - interval '10' second) then 1 end)
            into l_active, l_coming
            from {{.P}}lanes l
            where l.lane_id <= l_max_lanes and l.state in ('Starting', 'Assigned', 'Busy');

            l_wanted := least(l_runnable - l_coming, l_max_workers - l_active);
            exit when l_checked;

            -- A session that waits may have been killed; its task would wait for the sweep. The lanes that are given below.
            l_dead := false;
            for r in (
                select i.lane_id
                from (select l.lane_id from {{.P}}lanes l where l.lane_id <= l_max_lanes and l.state = 'Idle' order by l.lane_id) i
                where rownum <= l_wanted
            ) loop
                l_dead := l_dead or {{.P}}worker.lane_dead(r.lane_id);
            end loop;

            exit when l_runnable <= l_max_workers - l_active and not l_dead;

            -- Short of lanes: are the busy ones alive? The probes need no lock of ours.
            commit write immediate wait;
            free_dead_lanes;
            l_checked := true;
        end loop;

        out_given := 'Y';

        while l_wanted > 0 loop
            -- A session that still waits needs no job start.
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id <= l_max_lanes and l.state = 'Idle';

            if l_lane_id is not null then
                update {{.P}}lanes l set l.state = 'Assigned', l.state_at = l_now where l.lane_id = l_lane_id;
                {{.P}}wake.send_lane(l_lane_id);
            else
                -- One that has just been turned off may still be ending, and RUN_JOB would have to be tried again.
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

    -- Orders the jobs of lanes that are Starting and not ordered yet. RUN_JOB commits, so nothing of ours is open.
    procedure start_lanes (out_again out varchar2) is
        l_last number := 0;
        l_lane_id number;
        l_job varchar2(160);
        l_error varchar2(1000);
    begin
        out_again := 'N';

        loop
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id > l_last and l.state = 'Starting' and l.ordered_at is null;

            exit when l_lane_id is null;
            l_last := l_lane_id;
            l_job := '{{.JobOwner}}.{{.PU}}LANE_' || to_char(l_lane_id, 'FM00');

            begin
                dbms_scheduler.run_job(job_name => l_job, use_current_session => false);

                update {{.P}}lanes l
                set l.ordered_at = systimestamp at time zone 'UTC'
                where l.lane_id = l_lane_id and l.state = 'Starting' and l.ordered_at is null;

                commit write immediate wait;
            exception
                -- It is just ending.
                when {{.P}}base.e_running then
                    rollback;
                    out_again := 'Y';
                -- 27492: the job queue is off; 27475, 27476: the job is gone.
                when others then
                    l_error := substrb(sqlerrm, 1, 1000);
                    rollback;
                    out_again := 'Y';
                    {{.P}}worker.alarm('LaneNotStarted', 'The job ' || l_job || ' could not be started: ' || l_error, in_lane_id => l_lane_id);
                    commit write immediate wait;
            end;
        end loop;
    end start_lanes;

    procedure sweep (out_more out varchar2) is
        l_retention number;
        l_cutoff timestamp with time zone;
        l_last number;
        l_id number;
        l_locked number;
        l_open number;
        l_held varchar2(1);
        l_rows pls_integer;
        l_full varchar2(1);
    begin
        rollback;
        out_more := 'N';

        select s.retention_days into l_retention from {{.P}}settings s where s.settings_id = 1;
        l_cutoff := {{.P}}base.utc_now - numtodsinterval(l_retention, 'DAY');

        free_dead_lanes;
        {{.P}}resource.sweep;

        -- Attempts whose worker ended without recording them, in lanes that are off now.
        l_last := 0;
        loop
            select min(t.lane_id) into l_id from {{.P}}tasks t where t.lane_id > l_last;
            exit when l_id is null;
            {{.P}}worker.recover(l_id);
            l_last := l_id;
        end loop;

        -- Closing processes whose last enqueuer rolled back, and tasks that were enqueued while their process ended.
        l_last := 0;
        loop
            select min(p.process_id) into l_id
            from {{.P}}processes p
            where p.process_id > l_last and p.open_process_id > l_last and p.status = 'Closing';

            exit when l_id is null;
            l_last := l_id;

            {{.P}}base.begin_transaction;
            select p.process_id into l_locked from {{.P}}processes p where p.process_id = l_id for update wait 10;
            {{.P}}worker.close_if_done(l_id);
            commit write immediate wait;
        end loop;

        -- Their transaction may have been open for as long as it liked, so they are found from the tasks.
        l_last := 0;
        loop
            select min(t.unfinished_process_id) into l_id from {{.P}}tasks t where t.unfinished_process_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            -- A process that is gone has ended, and was forgotten before the task could be seen.
            select max(p.process_id) into l_open from {{.P}}processes p where p.process_id = l_id and p.finished_at is null;
            continue when l_open is not null;

            select max(t.task_id) into l_locked from {{.P}}tasks t where t.unfinished_process_id = l_id and t.status in ('Pending', 'Waiting');
            continue when l_locked is null;

            -- It may have been opened again meanwhile.
            {{.P}}base.begin_transaction;
            {{.P}}base.lock_process(l_id, l_held);
            select max(p.process_id) into l_open from {{.P}}processes p where p.process_id = l_id and p.finished_at is null;

            update {{.P}}tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = systimestamp at time zone 'UTC'
            where t.unfinished_process_id = l_id and l_open is null and l_held = 'N' and t.status in ('Pending', 'Waiting') and rownum <= 500;

            l_rows := sql%rowcount;
            if l_rows = 500 then
                out_more := 'Y';
            end if;

            if l_rows > 0 then
                {{.P}}worker.alarm('LateTask', l_rows || ' tasks were committed after their process had ended; they were skipped.', in_process_id => l_id);
            end if;
            commit write immediate wait;
        end loop;

        {{.P}}round.sweep;

        {{.P}}admin.prune(l_cutoff, l_rows, l_full);
        if l_full = 'Y' then
            out_more := 'Y';
        end if;
    end sweep;

    -- The scheduler is stopped: waiting workers go home, and so does the dispatcher unless it has sessions to end. Sessions that
    -- called task_scheduler read no messages; they find out by themselves.
    procedure send_home (in_stay in boolean) is
        l_last number := 0;
        l_lane_id number;
    begin
        loop
            select min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.lane_id > l_last and l.lane_id <= 1000 and l.state = 'Idle';

            exit when l_lane_id is null;
            l_last := l_lane_id;
            {{.P}}wake.send_lane(l_lane_id);
        end loop;

        -- Ordered and not started: the order is withdrawn. A job that starts all the same finds the scheduler stopped.
        update {{.P}}lanes l
        set l.state = 'Off', l.ordered_at = null, l.state_at = systimestamp at time zone 'UTC'
        where l.state = 'Starting' and l.worker_id is null;

        if not in_stay then
            update {{.P}}settings s
            set s.dispatcher_session = null, s.next_sweep_at = null
            where s.settings_id = 1;
        end if;
    end send_home;

    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2) is
        l_started varchar2(1);
        l_version varchar2(30);
        l_sweep_seconds number;
        l_next_sweep timestamp with time zone;
        l_due timestamp(6);
        l_lease timestamp(6);
        l_stop timestamp(6);
        l_given varchar2(1);
        l_later varchar2(1);
        l_requests varchar2(1);
        l_again varchar2(1) := 'N';
        l_ended varchar2(1);
        l_more varchar2(1) := 'N';
        l_text varchar2(2000);

        -- Seconds until an instant in UTC, a minute at most, never too early: what is looked for would not be due. NULL: a minute.
        function seconds_until (in_at in timestamp) return number is
            l_left interval day(9) to second(6) := in_at - sys_extract_utc(systimestamp);
        begin
            return least(60, nvl(ceil(extract(day from l_left) * 86400 + extract(hour from l_left) * 3600 + extract(minute from l_left) * 60 + extract(second from l_left)), 60));
        end seconds_until;
    begin
        rollback;
        out_state := 'Go';

        -- Under the lock: stop_scheduler and start_scheduler see either a dispatcher that will look again, or none.
        select s.started, s.version, s.idle_sweep_seconds, s.next_sweep_at
        into l_started, l_version, l_sweep_seconds, l_next_sweep
        from {{.P}}settings s
        where s.settings_id = 1
        for update wait 10;

        if l_started = 'N' or l_version <> in_version then
            -- Stopped, it still ends what was ordered to end: it counts those under the lock, and whoever orders another looks
            -- under the lock whether there is a dispatcher.
            if l_version = in_version then
                select /*+ index(t (stop_utc)) */ min(t.stop_utc) into l_stop from {{.P}}tasks t where t.stop_utc is not null and t.status = 'Stopping';
            end if;
            send_home(in_stay => l_stop is not null);
            commit write immediate wait;

            if l_stop is null then
                out_state := 'Stop';
                out_wait := 0;
            else
                {{.P}}control.end_attempts(l_again);
                select /*+ index(t (stop_utc)) */ min(t.stop_utc) into l_stop from {{.P}}tasks t where t.stop_utc is not null and t.status = 'Stopping';
                out_wait := case when l_again = 'Y' or l_stop is null then 0 else greatest(0, seconds_until(l_stop)) end;
                rollback;
            end if;
            return;
        end if;

        rollback;
        apply_requests(l_requests);
        release_due;
        {{.P}}resource.serve;
        assign(l_given, l_later);
        if l_given = 'Y' then
            start_lanes(l_again);
        end if;

        -- After the lanes are given: stopping a job may take its time.
        {{.P}}control.end_attempts(l_ended);

        -- Later than it can be: the clock was set back.
        if l_next_sweep is null or l_next_sweep <= systimestamp or l_next_sweep > systimestamp + numtodsinterval(l_sweep_seconds, 'SECOND') then
            l_next_sweep := {{.P}}base.utc_now + numtodsinterval(l_sweep_seconds, 'SECOND');

            update {{.P}}settings s set s.next_sweep_at = l_next_sweep where s.settings_id = 1;
            commit write immediate wait;

            sweep(l_more);
            assign(l_given, l_later);
            if l_given = 'Y' then
                start_lanes(l_again);
            end if;
        end if;

        select min(t.due_utc) into l_due from {{.P}}tasks t;

        select min(r.lease_utc) into l_lease from {{.P}}resource_requests r;
        select min(t.stop_utc) into l_stop from {{.P}}tasks t;
        out_wait := least(seconds_until(sys_extract_utc(l_next_sweep)), seconds_until(l_due), seconds_until(l_lease), seconds_until(l_stop));
        if 'Y' in (l_again, l_more, l_later, l_requests) then
            out_wait := least(out_wait, 1);
        end if;
        if l_ended = 'Y' then
            out_wait := 0;
        end if;
        out_wait := greatest(out_wait, 0);
        rollback;
    exception
        when others then
            l_text := substrb('The dispatcher failed and will try again: ' || dbms_utility.format_error_stack || dbms_utility.format_error_backtrace, 1, 2000);
            rollback;
            out_wait := 5;
            out_state := 'Go';

            begin
                {{.P}}worker.alarm('DispatchError', l_text);
                commit write immediate wait;
            exception
                when others then
                    rollback;
            end;
    end turn;
end {{.P}}dispatch;
