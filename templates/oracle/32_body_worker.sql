create or replace package body {{.P}}worker as
    -- The task that a claim is about, as its steps hand it on; attempt is the number of the one to come.
    type candidate is record (
        task_id number,
        process_id number,
        execution_order number,
        attempt number,
        sql_text clob,
        enqueued_by varchar2(128),
        resource_id number,
        access_mode varchar2(9),
        timeout_seconds number,
        parameters clob,
        transactional varchar2(1),
        dedup_key varchar2(200 char));

    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null)
    is
        l_same pls_integer;
        l_alarm_id number;
        l_text varchar2(2000) := substrb(in_text, 1, 2000);
        l_since timestamp with time zone := {{.P}}base.utc_now - interval '10' minute;
    begin
        -- What fails every few seconds must not bury the rest.
        select count(*) into l_same
        from {{.P}}alarms a
        where a.alarm_id = (select max(b.alarm_id) from {{.P}}alarms b)
          and a.kind = in_kind and a.alarm_text = l_text and a.raised_at > l_since;

        if l_same = 0 then
            l_alarm_id := {{.P}}alarm_seq.nextval;

            insert into {{.P}}alarms (alarm_id, raised_at, kind, process_id, task_id, lane_id, alarm_text)
            values (l_alarm_id, systimestamp at time zone 'UTC', in_kind, in_process_id, in_task_id, in_lane_id, l_text);

            {{.P}}admin.call_hook(l_alarm_id, in_process_id);
        end if;
    end alarm;

    procedure close_if_done (in_process_id in number) is
    begin
        -- A task whose enqueuer has not committed yet is not seen: should it come late, the sweep skips it with an alarm.
        update {{.P}}processes p
        set p.status = case when p.tasks_failed > 0 then 'Failed' else 'Succeeded' end,
            p.finished_at = systimestamp at time zone 'UTC',
            p.has_work = 'N'
        where p.process_id = in_process_id
          and p.status = 'Closing'
          and not exists (select 1 from {{.P}}tasks t where t.unfinished_process_id = in_process_id);
    end close_if_done;

    function lock_id (in_lane_id in number) return integer is
        l_base number;
    begin
        select s.lock_base into l_base from {{.P}}settings s where s.settings_id = 1;
        return l_base + in_lane_id;
    end lock_id;

    -- Asks in SS mode, which conflicts with X only, so that two who ask do not meet and a starting lane waits a moment at most.
    function lock_free (in_lane_id in number) return boolean is
        l_id integer := lock_id(in_lane_id);
        l_result integer;
    begin
        l_result := dbms_lock.request(id => l_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);

        if l_result = 0 then
            l_result := dbms_lock.release(id => l_id);
            return true;
        end if;

        -- 1: somebody has it; 4: this session has it; anything else is no proof of death.
        return false;
    end lock_free;

    function session_gone (in_session_key in varchar2) return boolean is
    begin
        return in_session_key is null or not dbms_session.is_session_alive(in_session_key);
    end session_gone;

    function lane_dead (in_lane_id in number) return boolean is
        l_key varchar2(24);
    begin
        if not lock_free(in_lane_id) then
            return false;
        end if;

        if in_lane_id = 0 then
            select max(s.dispatcher_session) into l_key from {{.P}}settings s where s.settings_id = 1;
        else
            select max(l.session_key) into l_key from {{.P}}lanes l where l.lane_id = in_lane_id;
        end if;

        -- A task may release the lock by its number; the session would still be there.
        return session_gone(l_key);
    end lane_dead;

    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2) is
        l_result integer;
    begin
        l_result := dbms_lock.request(id => lock_id(in_lane_id), lockmode => dbms_lock.x_mode, timeout => in_seconds, release_on_commit => false);
        -- 4: it is this session's already.
        out_held := case when l_result in (0, 4) then 'Y' else 'N' end;
    end take_lock;

    procedure release_lock (in_lane_id in number) is
        l_result integer;
    begin
        l_result := dbms_lock.release(id => lock_id(in_lane_id));
    end release_lock;

    procedure enter (in_lane_id in number, in_seconds in number, out_worker_id out varchar2) is
        l_held varchar2(1);
        l_key varchar2(24);
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_worker_id varchar2(32);
    begin
        rollback;
        take_lock(in_lane_id, in_seconds, l_held);
        if l_held = 'N' then
            return;
        end if;

        select max(l.session_key) into l_key from {{.P}}lanes l where l.lane_id = in_lane_id;
        if l_key <> l_me and not session_gone(l_key) then
            alarm('LaneHeld', 'The worker of lane ' || in_lane_id || ' has lost its lock, but its session is still there; no other worker takes the lane until it has ended.', in_lane_id => in_lane_id);
            commit write immediate wait;
            release_lock(in_lane_id);
            return;
        end if;

        -- SYS_GUID alone could be guessed by a task, which can make its own.
        select substr(rawtohex(standard_hash(s.salt || rawtohex(sys_guid()), 'SHA256')), 1, 32) into l_worker_id
        from {{.P}}settings s
        where s.settings_id = 1;

        recover(in_lane_id, l_worker_id);

        update {{.P}}lanes l
        set l.worker_id = l_worker_id,
            l.session_id = to_number(sys_context('USERENV', 'SID')),
            l.session_key = l_me,
            l.entered_at = systimestamp at time zone 'UTC',
            l.submitter = null,
            l.task_id = null,
            l.attempt = null
        where l.lane_id = in_lane_id;

        if sql%rowcount = 0 then
            -- The lane was taken away meanwhile, or its last session, one that called task_scheduler, has just removed the row.
            rollback;
            release_lock(in_lane_id);
            return;
        end if;

        commit write immediate wait;
        out_worker_id := l_worker_id;
    end enter;

    -- The first claimable task of a process, by the claim's index: no sort, whatever the number of tasks. The hint is needed:
    -- the optimizer costs fetching all rows, for which a full scan and a sort are cheaper, and statistics of a queue are stale.
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

    -- The beginning of a text, as its log row keeps it. A character beyond the basic plane is two in a CLOB, and none can be cut.
    function head_of (in_sql in clob) return varchar2 is
        e_boundary exception;
        pragma exception_init(e_boundary, -22831);
    begin
        return substr(in_sql, 1, 1000);
    exception
        when e_boundary then
            return substr(in_sql, 1, 999);
    end head_of;

    -- Locks the settings row, until the claim's commit, and looks whether the worker may claim. out_result: NULL, it may, or why not.
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
        l_max_workers number;
        l_max_lanes number;
        l_others pls_integer;
        l_mine pls_integer;
        l_condemned pls_integer;
    begin
        select s.started, s.version, s.policy, s.max_workers, s.max_lanes, s.linger_seconds
        into l_started, l_version, out_policy, l_max_workers, l_max_lanes, out_linger
        from {{.P}}settings s
        where s.settings_id = 1
        for update wait 10;

        -- A worker that was taken for dead while it was not has no lane any more.
        select count(*), count(l.condemned_by) into l_mine, l_condemned
        from {{.P}}lanes l
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        if l_condemned > 0 then
            -- A STOP_JOB that was meant for the last attempt may be on its way, and would end the next one: there is none. Leave
            -- tells the dispatcher, which may have stayed after a stop for this session alone.
            out_result := 'Limit';
        elsif l_started = 'N' or l_version <> in_version or l_mine = 0 then
            out_result := 'Stopped';
        elsif in_lane_id <= 1000 then
            select count(*) into l_others
            from {{.P}}lanes l
            where l.lane_id <= l_max_lanes and l.lane_id <> in_lane_id and l.state in ('Starting', 'Assigned', 'Busy');

            -- A lane above the number that is installed now is one too many, whatever the others do.
            if l_others >= l_max_workers or in_lane_id > l_max_lanes then
                out_result := 'Limit';
            end if;
        end if;
    end ask_leave;

    -- The next task by policy; its process is locked. out_passed: a process was held by somebody else and passed over.
    procedure choose_task (in_policy in varchar2, out_task out candidate, out_passed out boolean) is
        l_usable number;

        -- Under the settings row's lock nobody else claims, so the order holds while the rows are looked through.
        cursor c_processes is
            select p.process_id
            from {{.P}}processes p
            where p.work_process_id > 0
              and p.status in ('Open', 'Closing')
              and (p.max_parallel is null or p.running < p.max_parallel)
            order by case when in_policy = 'RoundRobin' then p.running / p.weight else 0 end,
                     case when in_policy = 'RoundRobin' then p.last_served_at end nulls first,
                     case when in_policy = 'Priority' then 0 - p.priority else 0 end,
                     p.process_id;
    begin
        out_passed := false;

        -- The picks are statements of their own: each sees what the last holder of the settings row's lock has committed.
        for r in c_processes loop
            -- A completion may hold the row for a moment; what it has changed is seen by the statements after this one. Who
            -- halts or cancels a process with very many tasks holds it for long: everybody waits for this lane's claim.
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

    -- Of two with the same key that were enqueued at the same moment: the one that runs or has run stays, or else the older.
    -- Skips this one if it must go, and says so. The settings row and the process are locked.
    function skipped_as_duplicate (in_task in candidate) return boolean is
        l_other number;
    begin
        if in_task.dedup_key is null then
            return false;
        end if;

        select min(d.task_id) into l_other
        from {{.P}}tasks d
        where d.unfinished_key = in_task.dedup_key and nlssort(d.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_task.dedup_key, 'NLS_SORT=BINARY')
          and d.process_id = in_task.process_id and nlssort(d.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY')
          and d.task_id <> in_task.task_id
          and (d.status in ('Running', 'Stopping')
               or (d.attempt > 0 and in_task.attempt = 1)
               or (d.task_id < in_task.task_id and (d.attempt > 0 or in_task.attempt = 1)));

        if l_other is null then
            return false;
        end if;

        update {{.P}}tasks t
        set t.status = 'Skipped', t.duplicate_of = l_other, t.finished_at = {{.P}}base.utc_now
        where t.task_id = in_task.task_id and t.status = 'Pending';

        -- Its line, if it has stood in one; its process, if nothing else was left; and should a wave have ended with it,
        -- the next one may need more workers than this one, which looks again.
        if in_task.resource_id is not null then
            {{.P}}resource.leave_line(in_task.process_id, in_task.task_id);
        end if;
        close_if_done(in_task.process_id);
        {{.P}}wake.send_now;
        return true;
    end skipped_as_duplicate;

    -- Takes the resource that a task names. If it is taken the task waits in its line, where no worker sees it: true.
    function waits_in_line (io_task in out nocopy candidate) return boolean is
        l_line varchar2(8);
    begin
        if io_task.resource_id is null then
            return false;
        end if;

        {{.P}}resource.join_line(io_task.process_id, io_task.task_id, io_task.resource_id, io_task.access_mode, l_line);

        if l_line = 'Gone' then
            io_task.sql_text := 'begin raise_application_error(-20040, ''dbsched 20040: the resource that the task names was dropped.''); end;';
        elsif l_line <> 'Granted' then
            update {{.P}}tasks t
            set t.status = 'Waiting', t.wait_reason = 'Resource'
            where t.task_id = io_task.task_id and t.status = 'Pending';
            return true;
        end if;

        return false;
    end waits_in_line;

    -- Writes down that the worker runs the task, before it does.
    procedure start_attempt (in_lane_id in number, in_worker_id in varchar2, in_task in candidate, out_log_id out number) is
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_head varchar2(4000) := head_of(in_task.sql_text);
    begin
        out_log_id := {{.P}}log_seq.nextval;

        update {{.P}}processes p
        set p.running = p.running + 1, p.last_served_at = l_now
        where p.process_id = in_task.process_id;

        update {{.P}}tasks t
        set t.status = 'Running', t.attempt = in_task.attempt, t.lane_id = in_lane_id, t.worker_id = in_worker_id, t.log_id = out_log_id, t.started_at = l_now,
            t.stop_at = l_now + numtodsinterval(in_task.timeout_seconds, 'SECOND'), t.stop_outcome = null, t.stop_tries = 0
        where t.task_id = in_task.task_id and t.status = 'Pending' and t.attempt = in_task.attempt - 1;

        if sql%rowcount <> 1 then
            {{.P}}base.fail(20099, 'task ' || in_task.task_id || ' changed without its process''s lock.');
        end if;

        insert into {{.P}}logs
            (log_id, task_id, process_id, execution_order, attempt, sql_text, enqueued_by, lane_id, worker_id, session_id, session_key, started_at)
        values
            (out_log_id, in_task.task_id, in_task.process_id, in_task.execution_order, in_task.attempt, l_head, in_task.enqueued_by, in_lane_id, in_worker_id,
             to_number(sys_context('USERENV', 'SID')), dbms_session.unique_session_id, l_now);

        update {{.P}}lanes l
        set l.state = 'Busy', l.state_at = l_now, l.ordered_at = null, l.task_id = in_task.task_id, l.attempt = in_task.attempt, l.submitter = in_task.enqueued_by
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        -- The dispatcher looks at least once a minute, and finds what ends later than that.
        if in_task.timeout_seconds <= 60 then
            {{.P}}wake.send_now;
        end if;
    end start_attempt;

    -- Says that a lane has nothing to do, under the lock: from now on the dispatcher sends a message to it, or orders its job.
    -- io_result: why; NULL: there was no task.
    procedure rest (in_lane_id in number, in_worker_id in varchar2, in_waited in varchar2, io_result in out varchar2) is
        l_state varchar2(8);
    begin
        if io_result is null then
            select max(l.state) into l_state
            from {{.P}}lanes l
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            -- Assigned: the dispatcher has sent a message, but somebody else was faster. Wait on, the message is harmless.
            io_result := case when in_waited = 'Y' and l_state = 'Idle' then 'Leave' else 'Idle' end;
        end if;

        update {{.P}}lanes l
        set l.state = case io_result when 'Idle' then 'Idle' else 'Off' end, l.state_at = systimestamp at time zone 'UTC', l.ordered_at = null
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
    end rest;
{{- if .Runner}}

    -- What a task leaves in its session (roles, contexts, temporary tables) must not reach another user's.
    function other_submitter (in_lane_id in number, in_worker_id in varchar2, in_task in candidate) return boolean is
        l_submitter varchar2(128);
    begin
        select max(l.submitter) into l_submitter from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        return nlssort(l_submitter, 'NLS_SORT=BINARY') <> nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY');
    end other_submitter;
{{- end}}

    -- One attempt of claim, in one transaction: settings, process, task, resource, log and lane, in this order. Again: others may have
    -- the settings row before it looks again.
    procedure try_claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        out_result out varchar2,
        out_linger out number,
        out_task out candidate,
        out_log_id out number)
    is
        l_policy varchar2(10);
        l_passed boolean := false;
    begin
        ask_leave(in_lane_id, in_worker_id, in_version, out_result, l_policy, out_linger);

        if out_result is null then
            choose_task(l_policy, out_task, l_passed);
        end if;

        if out_task.task_id is null then
            if l_passed then
                out_result := 'Again';
            else
                rest(in_lane_id, in_worker_id, in_waited, out_result);
            end if;
{{- if .Runner}}
        elsif other_submitter(in_lane_id, in_worker_id, out_task) then
            out_result := 'Limit';
            rest(in_lane_id, in_worker_id, in_waited, out_result);
{{- end}}
        -- Each in a transaction of its own: a wave may have many of them, and everybody waits for the settings row.
        elsif skipped_as_duplicate(out_task) or waits_in_line(out_task) then
            out_result := 'Again';
        else
            start_attempt(in_lane_id, in_worker_id, out_task, out_log_id);
            out_result := 'Task';
        end if;

        commit write immediate wait;
    end try_claim;

    procedure claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        out_result out varchar2,
        out_linger out number,
        out_task_id out number,
        out_attempt out number,
        out_process_id out number,
        out_log_id out number,
        out_sql out clob,
        out_parameters out clob,
        out_transactional out varchar2)
    is
        l_task candidate;
        l_tries pls_integer := 0;
    begin
        loop
            begin
                rollback;
                try_claim(in_lane_id, in_worker_id, in_version, in_waited, out_result, out_linger, l_task, out_log_id);
                exit when out_result <> 'Again';
            exception
                when others then
                    l_tries := l_tries + 1;
                    -- 60: deadlock; 54 and 30006: the lock was not to be had in time.
                    if l_tries >= 10 or sqlcode not in (-60, -54, -30006) then
                        raise;
                    end if;
                    rollback;
                    dbms_session.sleep(0.05);
            end;
        end loop;

        if out_result = 'Task' then
            out_task_id := l_task.task_id;
            out_attempt := l_task.attempt;
            out_process_id := l_task.process_id;
            out_sql := l_task.sql_text;
            out_parameters := l_task.parameters;
            out_transactional := l_task.transactional;
            -- For audit trails: in whose name the session acts, and for which task.
            dbms_session.set_identifier(substrb(l_task.enqueued_by, 1, 40) || ' T' || l_task.task_id);
        end if;
    end claim;

    procedure begin_work (in_worker_id in varchar2, in_log_id in number) is
    begin
        update {{.P}}logs g
        set g.worker_id = g.worker_id
        where g.log_id = in_log_id and g.worker_id = in_worker_id and g.ended_at is null;

        if sql%rowcount <> 1 then
            raise_application_error(-20099, 'dbsched 20099: attempt ' || in_log_id || ' does not belong to this worker any more.');
        end if;
    end begin_work;

    -- One attempt of complete, in the steps below; the caller commits.
    procedure try_complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        in_error_procedure in varchar2,
        in_error_line in number,
        out_lost out varchar2)
    is
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_settings {{.P}}settings%rowtype;
        l_process {{.P}}processes%rowtype;
        l_task {{.P}}tasks%rowtype;
        l_new_status varchar2(10);
        l_log_outcome varchar2(10) := case in_outcome when 'Final' then 'Failed' else in_outcome end;
        l_error_number number := in_error_number;
        l_error_message varchar2(4000) := in_error_message;
        l_delay number := 0;
        l_lowest number;
        l_pending pls_integer;

        -- What becomes of the task, and what its log says.
        procedure decide is
            l_lives boolean := l_process.status in ('Open', 'Closing');
        begin
            if in_outcome = 'Succeeded' then
                l_new_status := 'Succeeded';
            elsif l_task.status = 'Stopping' and nvl(l_task.stop_outcome, 'Cancelled') = 'Cancelled' then
                l_new_status := 'Cancelled';
                l_log_outcome := 'Cancelled';
            elsif l_task.status <> 'Stopping' and in_outcome = 'Orphaned' then
                l_task.orphans := l_task.orphans + 1;
                l_new_status := case when l_task.on_orphan = 'Retry' and l_task.orphans <= l_settings.max_orphans and l_lives then 'Pending' else 'Failed' end;
            else
                -- Out of time is a failure, however the attempt ended after that.
                l_task.failures := l_task.failures + 1;
                l_new_status := 'Failed';
                if l_task.status = 'Stopping' then
                    l_new_status := 'TimedOut';
                    l_log_outcome := 'TimedOut';
                end if;
                if l_task.failures < l_task.max_attempts and in_outcome <> 'Final' and l_lives then
                    l_delay := least(l_task.retry_delay_seconds * power(2, least(l_task.failures - 1, 19)), l_settings.max_retry_delay_seconds);
                    l_new_status := case when l_delay > 0 then 'Waiting' else 'Pending' end;
                end if;
            end if;

            -- Not that the session died, or was interrupted (1013): why.
            if l_task.status = 'Stopping' and in_outcome <> 'Succeeded' and (in_outcome = 'Orphaned' or in_error_number = 1013) then
                l_error_number := case when l_log_outcome = 'Cancelled' then 20028 else 20029 end;
                l_error_message := case when l_log_outcome = 'Cancelled' then 'dbsched 20028: the task was cancelled while it ran.'
                                   else 'dbsched 20029: the task ran for longer than its ' || l_task.timeout_seconds || ' seconds.' end;
            end if;
        end decide;

        procedure write_down is
        begin
            update {{.P}}tasks t
            set t.status = l_new_status,
                t.wait_reason = case when l_new_status = 'Waiting' then 'Retry' end,
                t.due_at = case when l_new_status = 'Waiting' then l_now + numtodsinterval(l_delay, 'SECOND') end,
                t.failures = l_task.failures,
                t.orphans = l_task.orphans,
                t.lane_id = null,
                t.worker_id = null,
                t.stop_at = null,
                t.stop_outcome = null,
                t.finished_at = case when l_new_status in ('Pending', 'Waiting') then null else l_now end
            where t.task_id = in_task_id;

            update {{.P}}logs g
            set g.ended_at = l_now, g.outcome = l_log_outcome, g.rows_affected = in_rows,
                g.error_number = l_error_number, g.error_message = l_error_message, g.error_backtrace = in_error_backtrace,
                g.error_procedure = in_error_procedure, g.error_line = in_error_line
            where g.log_id = in_log_id;
        end write_down;

        -- A halted process: what has not started never will, in this same transaction.
        procedure halt is
        begin
            update {{.P}}tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = l_now
            where t.unfinished_process_id = in_process_id and t.status in ('Pending', 'Waiting');

            {{.P}}resource.leave_line(in_process_id);
            l_process.status := 'Failed';
            alarm('ProcessFailed', 'Task ' || in_task_id || ' failed and its process was halted; tasks that had not started were skipped. ' || substrb(l_error_message, 1, 1500),
                  in_process_id, in_task_id, in_lane_id);
        end halt;

        -- The barrier moves when the lowest unfinished order does.
        procedure count_down is
        begin
            select min(t.unfinished_order) into l_lowest
            from {{.P}}tasks t
            where t.unfinished_process_id = in_process_id;

            select count(*) into l_pending
            from {{.P}}tasks t
            where t.claim_process_id = in_process_id and t.claim_order = l_lowest and rownum <= 2;

            update {{.P}}processes p
            set p.running = greatest(p.running - 1, 0),
                p.tasks_succeeded = p.tasks_succeeded + case when l_new_status = 'Succeeded' then 1 else 0 end,
                p.tasks_failed = p.tasks_failed + case when l_new_status in ('Failed', 'TimedOut') then 1 else 0 end,
                p.has_work = case when l_process.status not in ('Open', 'Closing') then 'N' when l_pending > 0 then 'Y' else p.has_work end,
                p.status = case when p.status in ('Open', 'Closing') then l_process.status else p.status end,
                p.finished_at = case when p.finished_at is null and l_process.status = 'Failed' then l_now else p.finished_at end
            where p.process_id = in_process_id;

            if l_process.status = 'Closing' and l_lowest is null then
                close_if_done(in_process_id);
            end if;
        end count_down;
    begin
        out_lost := 'N';
        select s.* into l_settings from {{.P}}settings s where s.settings_id = 1;

        -- Completions of one process come one after the other: the last of a wave must see that it is the last.
        begin
            select p.* into l_process
            from {{.P}}processes p
            where p.process_id = in_process_id
            for update wait 10;

            select t.* into l_task
            from {{.P}}tasks t
            where t.task_id = in_task_id and t.attempt = in_attempt and t.worker_id = in_worker_id and t.status in ('Running', 'Stopping')
            for update wait 10;
        exception
            when no_data_found then
                out_lost := 'Y';
                return;
        end;

        decide;
        write_down;
        if l_new_status in ('Failed', 'TimedOut') and l_process.on_error = 'Halt' and l_process.status in ('Open', 'Closing') then
            halt;
        end if;
        -- Its resource is free for the next in the line, and what it acquired itself. If it is tried again it gets in line again.
        {{.P}}resource.leave_line(in_process_id, in_task_id);
        count_down;

        update {{.P}}lanes l
        set l.task_id = null, l.attempt = null
        where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

        -- A new wave needs more workers than this one; a retry needs the dispatcher's clock; an orphan needs a worker.
        if (l_lowest > l_task.execution_order and l_pending >= 2) or l_new_status = 'Waiting' or (in_outcome = 'Orphaned' and l_pending > 0) then
            {{.P}}wake.send_now;
        end if;
    end try_complete;

    procedure complete_within (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_rows in number)
    is
        l_tries pls_integer := 0;
        l_lost varchar2(1);
    begin
        savepoint work_done;

        loop
            begin
                try_complete(in_lane_id, in_worker_id, in_task_id, in_attempt, in_process_id, in_log_id, 'Succeeded', in_rows,
                             null, null, null, null, null, l_lost);
                exit;
            exception
                when others then
                    rollback to savepoint work_done;
                    l_tries := l_tries + 1;
                    if l_tries > 5 then
                        raise;
                    end if;
            end;
            dbms_session.sleep(0.05);
        end loop;

        if l_lost = 'Y' then
            raise_application_error(-20099, 'dbsched 20099: task ' || in_task_id || ' does not belong to this worker any more.');
        end if;
    end complete_within;

    procedure complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        in_error_procedure in varchar2,
        in_error_line in number,
        out_lost out varchar2)
    is
        l_tries pls_integer := 0;
        l_text varchar2(2000);
    begin
        loop
            begin
                rollback;
                try_complete(in_lane_id, in_worker_id, in_task_id, in_attempt, in_process_id, in_log_id, in_outcome, in_rows,
                             in_error_number, in_error_message, in_error_backtrace, in_error_procedure, in_error_line, out_lost);
                if out_lost = 'Y' then
                    rollback;
                else
                    commit write immediate wait;
                end if;
                return;
            exception
                when others then
                    l_text := substrb(sqlerrm, 1, 1500);
                    rollback;
                    l_tries := l_tries + 1;
            end;

            -- The work is done and must not be done twice: give the database time before giving up.
            if l_tries > 15 then
                out_lost := 'Y';
                exit;
            end if;
            dbms_session.sleep(case when l_tries <= 5 then 0.05 else 3 end);
        end loop;

        begin
            alarm('LostCompletion', 'The end of an attempt could not be recorded: ' || l_text, in_process_id, in_task_id, in_lane_id);
            commit write immediate wait;
        exception
            when others then
                rollback;
        end;
    end complete;

    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null) is
        l_last number := 0;
        l_task_id number;
        l_attempt number;
        l_process_id number;
        l_log_id number;
        l_worker_id varchar2(32);
        l_lost varchar2(1);
    begin
        loop
            -- The hint: while the table is empty, or was when statistics were gathered, the primary key looks as cheap, and would
            -- be walked through to its end ever after.
            select /*+ index(t (lane_id)) */ min(t.task_id) into l_task_id
            from {{.P}}tasks t
            where t.lane_id = in_lane_id and t.task_id > l_last;

            exit when l_task_id is null;

            select max(t.attempt), max(t.process_id), max(t.log_id), max(t.worker_id)
            into l_attempt, l_process_id, l_log_id, l_worker_id
            from {{.P}}tasks t
            where t.task_id = l_task_id and t.lane_id = in_lane_id;

            -- Tested after the row was read: whoever ran it then is dead if nobody is there now.
            exit when in_worker_id is null and not lane_dead(in_lane_id);

            if l_worker_id <> nvl(in_worker_id, 'none') then
                complete(in_lane_id, l_worker_id, l_task_id, l_attempt, l_process_id, l_log_id, 'Orphaned', null,
                         20023, 'dbsched 20023: the worker died while it ran this task.', null, null, null, l_lost);
            end if;

            l_last := l_task_id;
        end loop;
    end recover;

    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2) is
    begin
        rollback;

        if in_lane_id > 1000 then
            delete from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        else
            -- Starting stays: the dispatcher has ordered the next session meanwhile.
            update {{.P}}lanes l
            set l.state = case when l.state = 'Starting' then l.state else 'Off' end,
                l.state_at = case when l.state in ('Starting', 'Off') then l.state_at else systimestamp at time zone 'UTC' end,
                l.worker_id = null, l.session_id = null, l.session_key = null, l.entered_at = null, l.task_id = null, l.attempt = null
            where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        end if;

        if in_again = 'Y' then
            {{.P}}wake.send_now;
        end if;

        commit write immediate wait;
        release_lock(in_lane_id);
    exception
        when others then
            rollback;
            release_lock(in_lane_id);
            raise;
    end leave;

    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2) is
        l_condemned pls_integer;
    begin
        rollback;

        begin
            -- Interrupted because its attempt is to end, and not while it ran the task: that is no failure.
            select count(l.condemned_by) into l_condemned from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;

            if l_condemned = 0 or in_text not like 'ORA-01013%' then
                alarm('WorkerError', 'A worker failed: ' || in_text, in_lane_id => in_lane_id);
                commit write immediate wait;
            end if;
        exception
            when others then
                rollback;
        end;

        if in_worker_id is null then
            release_lock(in_lane_id);
        else
            leave(in_lane_id, in_worker_id, 'Y');
        end if;
    end failed;
end {{.P}}worker;
