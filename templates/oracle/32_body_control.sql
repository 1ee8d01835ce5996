create or replace package body {{.P}}control as
    -- Finds what is meant, checks whose it is before any lock is held that workers need, and locks the process.
    procedure take_process (in_task_id in number, in_process_id in number, out_process_id out number, out_status out varchar2) is
        l_by varchar2(128);
    begin
        out_process_id := in_process_id;

        if in_task_id is not null then
            select max(t.process_id), max(t.enqueued_by) into out_process_id, l_by from {{.P}}tasks t where t.task_id = in_task_id;
            if out_process_id is null then
                {{.P}}base.fail(20024, 'there is no task ' || in_task_id || '.');
            end if;
            {{.P}}rights.require_owner(l_by, 20025, 'task ' || in_task_id);
        else
            select max(p.created_by) into l_by from {{.P}}processes p where p.process_id = in_process_id;
            if l_by is null then
                {{.P}}base.fail(20004, 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
            end if;
            {{.P}}rights.require_owner(l_by, 20006, 'process ' || in_process_id);
        end if;

        select p.status into out_status from {{.P}}processes p where p.process_id = out_process_id for update wait 5;
    exception
        -- It ended so long ago that it was forgotten.
        when no_data_found then
            out_status := null;
        when {{.P}}base.e_held or {{.P}}base.e_busy then
            {{.P}}base.fail(20011, 'it is held by a transaction that has not ended; try again.');
    end take_process;

    procedure order_cancel (in_task_id in number, in_process_id in number default null) is
        pragma autonomous_transaction;
        l_process_id number;
        l_status varchar2(10);
        l_started varchar2(1);
        l_running pls_integer := 0;
        l_now timestamp with time zone := {{.P}}base.utc_now;
    begin
        {{.P}}base.begin_transaction;
        take_process(in_task_id, in_process_id, l_process_id, l_status);

        -- Its requests are for nothing from now on.
        if in_task_id is null then
            update {{.P}}processes p
            set p.status = 'Cancelled', p.finished_at = l_now, p.has_work = 'N'
            where p.process_id = l_process_id and p.finished_at is null;
        end if;

        -- Due now: the dispatcher ends the sessions. Cancelled counts for more than out of time, after which it might be tried again.
        -- By the index of what runs: as many rows as there are workers, whatever the number of tasks.
        for r in (select /*+ index(t (lane_id)) */ t.task_id
                  from {{.P}}tasks t
                  where t.lane_id > 0 and t.process_id = l_process_id and (in_task_id is null or t.task_id = in_task_id))
        loop
            update {{.P}}tasks t
            set t.status = 'Stopping', t.stop_outcome = 'Cancelled', t.stop_at = case when t.status = 'Running' then l_now else t.stop_at end
            where t.task_id = r.task_id and t.status in ('Running', 'Stopping');

            l_running := l_running + sql%rowcount;
        end loop;

        -- What is not committed does not exist yet; the sweep skips it if its process has ended by then.
        if in_task_id is null then
            update {{.P}}tasks t
            set t.status = 'Cancelled', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.unfinished_process_id = l_process_id and t.status in ('Pending', 'Waiting');
        else
            update {{.P}}tasks t
            set t.status = 'Cancelled', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.task_id = in_task_id and t.status in ('Pending', 'Waiting');
        end if;

        {{.P}}resource.leave_line(l_process_id);

        -- The next wave may begin, or the process be over.
        if in_task_id is not null and l_status in ('Open', 'Closing') then
            update {{.P}}processes p set p.has_work = 'Y' where p.process_id = l_process_id;
            {{.P}}worker.close_if_done(l_process_id);
        end if;

        {{.P}}wake.send_now;
        commit write immediate wait;

        -- Stopped, it has no dispatcher that the message would wake.
        if l_running > 0 then
            select s.started into l_started from {{.P}}settings s where s.settings_id = 1;
            if l_started = 'N' then
                run_dispatcher;
            end if;
        end if;
    exception
        when others then
            rollback;
            raise;
    end order_cancel;

    procedure order_retry (in_task_id in number, in_process_id in number default null) is
        pragma autonomous_transaction;
        l_process_id number;
        l_status varchar2(10);
        l_stopping pls_integer;
        l_rows pls_integer;
        l_failed pls_integer;
    begin
        {{.P}}base.begin_transaction;
        take_process(in_task_id, in_process_id, l_process_id, l_status);

        if l_status is null then
            {{.P}}base.fail(20027, 'its process has been forgotten.');
        end if;

        if l_status = 'Cancelled' then
            select count(*) into l_stopping from {{.P}}tasks t where t.unfinished_process_id = l_process_id and t.status = 'Stopping' and rownum <= 1;
            if l_stopping > 0 then
                {{.P}}base.fail(20027, 'tasks of the cancelled process have not ended yet; try again.');
            end if;
        end if;

        -- Under the process row's lock nobody else changes them. Of a whole process: what failed, what was skipped for it (but not
        -- as a duplicate of another task), and if it was cancelled, what was cancelled with it.
        if in_task_id is not null then
            select count(*), count(case when t.status in ('Failed', 'TimedOut') then 1 end) into l_rows, l_failed
            from {{.P}}tasks t
            where t.task_id = in_task_id and t.status in ('Failed', 'TimedOut', 'Cancelled', 'Skipped');

            update {{.P}}tasks t
            set t.status = 'Pending', t.failures = 0, t.orphans = 0, t.finished_at = null
            where t.task_id = in_task_id and t.status in ('Failed', 'TimedOut', 'Cancelled', 'Skipped');
        else
            select count(*), count(case when t.status in ('Failed', 'TimedOut') then 1 end) into l_rows, l_failed
            from {{.P}}tasks t
            where t.unwell_process_id = l_process_id and t.duplicate_of is null and (t.status <> 'Cancelled' or l_status = 'Cancelled');

            update {{.P}}tasks t
            set t.status = 'Pending', t.failures = 0, t.orphans = 0, t.finished_at = null
            where t.unwell_process_id = l_process_id and t.duplicate_of is null and (t.status <> 'Cancelled' or l_status = 'Cancelled');
        end if;

        if l_rows = 0 and (in_task_id is not null or l_status not in ('Failed', 'Cancelled')) then
            {{.P}}base.fail(20027, 'nothing of it has failed, was skipped or cancelled.');
        end if;

        update {{.P}}processes p
        set p.status = case when p.status = 'Suspended' then 'Suspended' when p.close_requested = 'Y' then 'Closing' else 'Open' end,
            p.finished_at = null,
            p.has_work = 'Y',
            p.tasks_failed = greatest(p.tasks_failed - l_failed, 0)
        where p.process_id = l_process_id;

        {{.P}}wake.send_now;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end order_retry;

    procedure cancel_running is
        l_last number := 0;
        l_task_id number;
        l_process_id number;
        l_locked number;
        l_marked pls_integer := 0;
    begin
        loop
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id from {{.P}}tasks t where t.lane_id > 0 and t.task_id > l_last;
            exit when l_task_id is null;
            l_last := l_task_id;

            select max(t.process_id) into l_process_id from {{.P}}tasks t where t.task_id = l_task_id;
            select max(p.process_id) into l_locked from {{.P}}processes p where p.process_id = l_process_id;

            if l_locked is not null then
                {{.P}}base.begin_transaction;
                select p.process_id into l_locked from {{.P}}processes p where p.process_id = l_process_id for update wait 30;

                update {{.P}}tasks t
                set t.status = 'Stopping', t.stop_outcome = 'Cancelled', t.stop_at = systimestamp at time zone 'UTC'
                where t.task_id = l_task_id and t.status in ('Running', 'Stopping');

                l_marked := l_marked + sql%rowcount;
                commit write immediate wait;
            end if;
        end loop;

        -- The dispatcher ends their sessions, scheduler stopped or not.
        if l_marked > 0 then
            {{.P}}wake.send_now;
            commit write immediate wait;
            run_dispatcher;
        end if;
    end cancel_running;

    procedure switch_dispatcher is
        l_before varchar2(1);
        l_after varchar2(1);

        e_no_job exception;
        pragma exception_init(e_no_job, -27475);
        e_no_such_job exception;
        pragma exception_init(e_no_such_job, -27476);
    begin
        -- ENABLE and DISABLE commit, so that no lock of ours can put a start and a stop at the same time into one order; but
        -- whoever changed the job last has looked after it.
        loop
            select s.started into l_before from {{.P}}settings s where s.settings_id = 1;

            if l_before = 'Y' then
                dbms_scheduler.enable(name => '{{.Owner}}.{{.PU}}DISPATCHER');
            else
                -- The run under way goes on; no next one is planned. Disabling a disabled job does nothing.
                begin
                    dbms_scheduler.disable(name => '{{.Owner}}.{{.PU}}DISPATCHER', force => true);
                exception
                    -- Somebody has dropped it: nothing is left to stop. Releases differ in the number they give.
                    when e_no_job or e_no_such_job then
                        null;
                end;
            end if;

            select s.started into l_after from {{.P}}settings s where s.settings_id = 1;
            exit when l_after = l_before;
        end loop;
    end switch_dispatcher;

    procedure run_dispatcher is
        l_session varchar2(24);
        l_text varchar2(1000);
    begin
        -- Enabled, the engine starts it again after a crash.
        switch_dispatcher;

        for i in 1 .. 50 loop
            {{.P}}base.begin_transaction;
            -- Under the lock: a dispatcher that ends has said so by now, or it will see what the caller has committed.
            select s.dispatcher_session into l_session from {{.P}}settings s where s.settings_id = 1 for update wait 30;
            commit write immediate wait;
            exit when l_session is not null and not {{.P}}worker.lane_dead(0);

            begin
                -- Run now, it need not wait for its next minute; disabled, it would not run at all. RUN_JOB commits.
                dbms_scheduler.run_job(job_name => '{{.Owner}}.{{.PU}}DISPATCHER', use_current_session => false);
                exit;
            exception
                -- The last one is just ending, or the engine has been faster.
                when {{.P}}base.e_running then
                    dbms_session.sleep(0.1);
            end;
        end loop;
    exception
        when others then
            l_text := substrb(sqlerrm, 1, 1000);
            rollback;
            {{.P}}base.fail(20015, 'the dispatcher''s job could not be started; it will be when the database''s job queue works (parameter job_queue_processes, scheduler attribute SCHEDULER_DISABLED). ' || l_text);
    end run_dispatcher;

    -- Takes a condemned lane back when its session is gone: writes the outcome of its attempt, and frees the lane. Only the one who
    -- condemned it may, because that one's STOP_JOB, which names a job and no run, has returned; or anybody when that one is gone.
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

        if l_by <> dbms_session.unique_session_id and dbms_session.is_session_alive(l_by) then
            return;
        end if;

        if not {{.P}}worker.lane_dead(in_lane_id) then
            return;
        end if;

        {{.P}}worker.recover(in_lane_id);

        select s.settings_id into l_locked from {{.P}}settings s where s.settings_id = 1 for update wait 10;

        update {{.P}}lanes l
        set l.condemned_by = null, l.state = 'Off', l.state_at = systimestamp at time zone 'UTC', l.ordered_at = null, l.worker_id = null, l.session_id = null,
            l.session_key = null, l.entered_at = null, l.task_id = null, l.attempt = null
        where l.lane_id = in_lane_id and l.condemned_by = l_by;

        commit write immediate wait;
        out_done := 'Y';
    end settle;

    -- Says of every attempt that has run out of time that it is to end, before any job is stopped: that may take its time, and what
    -- fails meanwhile has timed out.
    procedure mark_due (in_now in timestamp) is
        l_last number := 0;
        l_task_id number;
        l_process_id number;
        l_locked number;
    begin
        loop
            select /*+ index(t (stop_utc)) */ min(t.task_id) into l_task_id
            from {{.P}}tasks t
            where t.stop_utc <= in_now and t.status = 'Running' and t.task_id > l_last;

            exit when l_task_id is null;
            l_last := l_task_id;

            select max(t.process_id) into l_process_id from {{.P}}tasks t where t.task_id = l_task_id;
            select p.process_id into l_locked from {{.P}}processes p where p.process_id = l_process_id for update wait 10;

            update {{.P}}tasks t
            set t.status = 'Stopping', t.stop_outcome = 'TimedOut'
            where t.task_id = l_task_id and t.status = 'Running' and t.stop_utc <= in_now;

            commit write immediate wait;
        end loop;
    end mark_due;

    -- One try to end what is due. out_freed: Y = its lane is free again; out_slow: Y = STOP_JOB has waited in vain.
    procedure end_attempt (in_task_id in number, in_now in timestamp, out_freed out varchar2, out_slow out varchar2) is
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_process_id number;
        l_attempt number;
        l_lane_id number;
        l_worker_id varchar2(32);
        l_session_id number;
        l_tries number;
        l_locked number;
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

        -- Completions hold the locks of process and task: whoever still runs the attempt now completes it, and claims again, after
        -- the commit, and finds its lane condemned. The process first, because an UPDATE would wait for a task without end.
        select p.process_id into l_locked from {{.P}}processes p where p.process_id = l_process_id for update wait 10;

        -- First an interrupt; after five seconds of grace, force; undoing its work may take its time, so look again.
        update {{.P}}tasks t
        set t.stop_tries = t.stop_tries + 1,
            t.stop_at = case when l_lane_id <= 1000 then (systimestamp at time zone 'UTC') + numtodsinterval(case when l_tries = 0 then 5 when l_tries < 5 then 2 else 60 end, 'SECOND') end
        where t.task_id = in_task_id and t.attempt = l_attempt and t.worker_id = l_worker_id and t.status = 'Stopping' and t.stop_utc <= in_now;

        if sql%rowcount = 0 then
            rollback;
            return;
        end if;

        select max(l.session_id) into l_session_id from {{.P}}lanes l where l.lane_id = l_lane_id and l.worker_id = l_worker_id;

        if l_lane_id > 1000 then
            {{.P}}worker.alarm('CannotEnd', 'Task ' || in_task_id || ' was to end, but session ' || l_session_id || ' runs it by task_scheduler and no job that could be stopped;'
                || ' it goes on until the task ends by itself, or end the session.', l_process_id, in_task_id, l_lane_id);
            commit write immediate wait;
            return;
        end if;

        update {{.P}}lanes l set l.condemned_by = l_me where l.lane_id = l_lane_id and l.worker_id = l_worker_id;
        l_condemned := sql%rowcount = 1;
        commit write immediate wait;

        if not l_condemned then
            -- Its session has ended already: what it left is an outcome to be written.
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
                    -- It has been told to stop, and has not done so yet.
                    out_slow := 'Y';
                elsif sqlcode <> -27366 then
                    -- 27366: it does not run any more. Else, above all, 27486: force needs MANAGE SCHEDULER.
                    l_error := substrb(sqlerrm, 1, 1000);
                end if;
        end;

        for i in 1 .. 5 loop
            settle(l_lane_id, out_freed);
            exit when out_freed = 'Y' or out_slow = 'Y' or l_error is not null;
            dbms_session.sleep(0.1);
        end loop;

        -- It is tried again, but said once.
        if out_freed = 'N' and ((l_tries = 1 and l_error is not null) or (l_tries = 5 and l_error is null)) then
            {{.P}}worker.alarm('CannotEnd', 'Task ' || in_task_id || ' was to end, but its session ' || l_session_id || ' goes on after STOP_JOB of ' || l_job
                || ', until the task ends by itself. MANAGE SCHEDULER, granted to {{.Owner}} itself, lets dbsched end it by force; or end it with ALTER SYSTEM KILL SESSION ''sid,serial#,@inst_id'':'
                || ' select s.sid, s.serial#, s.inst_id from gv$session s where s.sid = ' || l_session_id || ' and s.module = ''dbsched''. '
                || l_error, l_process_id, in_task_id, l_lane_id);
            commit write immediate wait;
        end if;
    end end_attempt;

    procedure end_attempts (out_again out varchar2) is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_due timestamp(6);
        l_task_id number;
        l_last number := 0;
        l_lane_id number;
        l_freed varchar2(1);
        l_slow varchar2(1);
    begin
        out_again := 'N';

        -- Those whose session took its time, and those that a dispatcher left who has died.
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

        -- Each try moves its own next look, so that this ends; the bound is for rows that somebody else has changed.
        for i in 1 .. 200 loop
            select min(t.stop_utc) into l_due from {{.P}}tasks t;
            exit when l_due is null or l_due > l_now;

            select min(t.task_id) into l_task_id from {{.P}}tasks t where t.stop_utc = l_due;
            continue when l_task_id is null;

            end_attempt(l_task_id, l_now, l_freed, l_slow);

            if l_freed = 'Y' or l_slow = 'Y' then
                out_again := 'Y';
            end if;

            -- Between two that take their time others get their lanes.
            exit when l_slow = 'Y';
        end loop;
    end end_attempts;
end {{.P}}control;
