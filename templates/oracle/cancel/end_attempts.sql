    -- Takes a condemned lane back when its session is gone: records the outcome of its attempt, and frees the lane. Only the session
    -- that condemned it may do so, because its STOP_JOB, which names a job and not a run, has returned; or any if that one is gone.
    procedure settle (in_lane_id in number, out_done out varchar2) is
        l_by varchar2(24);
        l_locked number;
    begin
        out_done := 'N';
        select max(l.condemned_by) into l_by from {{.P}}lanes l where l.lane_id = in_lane_id;

        if l_by is null then
            out_done := 'Y';
            return;
        end if;

        if (l_by <> dbms_session.unique_session_id and dbms_session.is_session_alive(l_by)) or not {{.P}}worker.lane_dead(in_lane_id) then
            return;
        end if;

        {{.P}}worker.recover(in_lane_id);

        select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 10;

        update {{.P}}lanes l
        set l.condemned_by = null, l.state = 'Off', l.state_at = systimestamp at time zone '+00:00', l.ordered_at = null, l.worker_id = null,
            l.session_id = null,
            l.session_key = null, l.entered_at = null
        where l.lane_id = in_lane_id and l.condemned_by = l_by;

        commit write immediate wait;
        out_done := 'Y';
    end settle;

    -- Marks every attempt that has run out of time, before any job is stopped: stopping may take time, and attempts that fail
    -- meanwhile have timed out.
    procedure mark_due (in_now in timestamp) is
        l_last number := 0;
        l_task_id number;
        l_process_id number;
        l_held varchar2(1);
    begin
        loop
            select /*+ index(t (stop_utc)) */ min(t.task_id) into l_task_id
            from {{.P}}tasks t
            where t.stop_utc <= in_now and t.status = 'Running' and t.task_id > l_last;

            exit when l_task_id is null;
            l_last := l_task_id;

            select max(t.process_id) into l_process_id from {{.P}}tasks t where t.task_id = l_task_id;
            {{.P}}base.lock_process(l_process_id, l_held);

            update {{.P}}tasks t
            set t.status = 'Stopping', t.stop_outcome = 'TimedOut'
            where t.task_id = l_task_id and t.status = 'Running' and t.stop_utc <= in_now and l_held = 'N';

            commit write immediate wait;
        end loop;
    end mark_due;

    -- One try to end a due attempt. out_freed: Y = its lane is free again; out_slow: Y = STOP_JOB has waited in vain, H = another session
    -- holds its process.
    procedure end_attempt (in_task_id in number, in_now in timestamp, out_freed out varchar2, out_slow out varchar2) is
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_process_id number;
        l_attempt number;
        l_lane_id number;
        l_worker_id varchar2(32);
        l_session_id number;
        l_instance_id number;
        l_tries number;
        l_held varchar2(1);
        l_condemned boolean;
        l_job varchar2(200);
        l_error varchar2(1000);
    begin
        out_freed := 'N';
        out_slow := 'N';

        select max(t.process_id), max(t.attempt), max(t.lane_id), max(t.worker_id), max(t.stop_tries)
        into l_process_id, l_attempt, l_lane_id, l_worker_id, l_tries
        from {{.P}}tasks t
        where t.task_id = in_task_id and t.stop_utc <= in_now;

        if l_process_id is null then
            return;
        end if;

        -- Completions lock process and task: a session that still runs the attempt completes it now, claims again after the commit, and
        -- finds its lane condemned. The process is locked first, because an UPDATE would wait for a task without limit.
        {{.P}}base.lock_process(l_process_id, l_held);
        if l_held = 'Y' then
            out_slow := 'H';
            return;
        end if;

        -- First an interrupt, after five seconds of grace force. Rollback may take time, so look again.
        update {{.P}}tasks t
        set t.stop_tries = t.stop_tries + 1,
            t.stop_at = case when l_lane_id <= 1000 then (systimestamp at time zone '+00:00')
                + numtodsinterval(case when l_tries = 0 then 5 when l_tries < 5 then 2 else 60 end, 'SECOND') end
        where t.task_id = in_task_id and t.attempt = l_attempt and t.worker_id = l_worker_id and t.status = 'Stopping' and t.stop_utc <= in_now;

        if sql%rowcount = 0 then
            rollback;
            return;
        end if;

        select max(l.session_id), max(l.instance_id) into l_session_id, l_instance_id
        from {{.P}}lanes l
        where l.lane_id = l_lane_id and l.worker_id = l_worker_id;

        if l_lane_id > 1000 then
            {{.P}}worker.alarm('CannotEnd', 'Task ' || in_task_id || ' must end, but session ' || l_session_id || ' of instance ' || l_instance_id
                || ' runs it by task_scheduler, so there is no job to stop.'
                || ' It runs until the task ends by itself or you end the session.', l_process_id, in_task_id, l_lane_id);
            commit write immediate wait;
            return;
        end if;

        update {{.P}}lanes l set l.condemned_by = l_me where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
        l_condemned := sql%rowcount = 1;
        commit write immediate wait;

        if not l_condemned then
            -- Its session has already ended: only the outcome must be recorded.
            {{.P}}worker.recover(l_lane_id);
            return;
        end if;

        l_job := '{{.JobOwner}}.{{.PU}}LANE_' || to_char(l_lane_id, 'FM00');

        begin
            dbms_scheduler.stop_job(job_name => l_job, force => l_tries > 0);
        exception
            when others then
                if sqlcode = -1013 then
                    raise;
                elsif sqlcode = -27365 then
                    -- It has been told to stop, but has not stopped yet.
                    out_slow := 'Y';
                elsif sqlcode <> -27366 then
                    -- 27366: it no longer runs. Other errors, above all 27486: force needs MANAGE SCHEDULER.
                    l_error := substrb(sqlerrm, 1, 1000);
                end if;
        end;

        for i in 1 .. 5 loop
            settle(l_lane_id, out_freed);
            exit when out_freed = 'Y' or out_slow = 'Y' or l_error is not null;
            dbms_session.sleep(0.1);
        end loop;

        -- It is tried again, but reported once; twice the same, should a dispatcher die here, is one alarm.
        if out_freed = 'N' and ((l_tries in (1, 2) and l_error is not null) or (l_tries in (5, 6) and l_error is null)) then
            {{.P}}worker.alarm('CannotEnd', 'Task ' || in_task_id || ' must end, but its session ' || l_session_id || ' of instance ' || l_instance_id
                || ' still runs after STOP_JOB of ' || l_job
                || '. With MANAGE SCHEDULER granted directly to {{.Owner}}, dbsched can end it by force. Or end it with ALTER SYSTEM KILL SESSION'
                || ' ''sid,serial#,@inst_id'': select s.sid, s.serial#, s.inst_id from gv$session s where s.sid = ' || l_session_id
                || ' and s.inst_id = ' || l_instance_id || '. '
                || l_error, l_process_id, in_task_id, l_lane_id);
            commit write immediate wait;
        end if;
    end end_attempt;

    procedure end_attempts (out_again out varchar2) is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_due timestamp(6);
        l_passed timestamp(6) := timestamp '2000-01-01 00:00:00';
        l_task_id number;
        l_last number := 0;
        l_lane_id number;
        l_freed varchar2(1);
        l_slow varchar2(1);
    begin
        out_again := 'N';

        -- Lanes that took their time to end, and lanes left by a dead dispatcher.
        loop
            select /*+ index(l (condemned_by)) */ min(l.lane_id) into l_lane_id
            from {{.P}}lanes l
            where l.condemned_by is not null and l.lane_id > l_last;

            exit when l_lane_id is null;
            l_last := l_lane_id;

            settle(l_lane_id, l_freed);
            if l_freed = 'Y' then
                out_again := 'Y';
            end if;
        end loop;

        select min(t.stop_utc) into l_due from {{.P}}tasks t;
        if l_due is null or l_due > l_now then
            return;
        end if;

        mark_due(l_now);

        -- Each try postpones its own next one, so the loop ends; the bound is for rows changed by other sessions.
        for i in 1 .. 200 loop
            select min(t.stop_utc) into l_due from {{.P}}tasks t where t.stop_utc > l_passed;
            exit when l_due is null or l_due > l_now;

            select min(t.task_id) into l_task_id from {{.P}}tasks t where t.stop_utc = l_due;
            continue when l_task_id is null;

            end_attempt(l_task_id, l_now, l_freed, l_slow);

            if l_freed = 'Y' or l_slow <> 'N' then
                out_again := 'Y';
            end if;
            if l_slow = 'H' then
                l_passed := l_due;
            end if;

            -- Between two slow ones, other tasks get their lanes.
            exit when l_slow = 'Y';
        end loop;
    end end_attempts;
