create or replace package body {{.P}}worker as
    -- An attempt that has succeeded.
    type attempt is record (task_id number, attempt number, process_id number, execution_order number, log_id number, row_count number);

    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null,
        in_user in varchar2 default null)
    is
        l_user varchar2(140) := in_user;
        l_same pls_integer;
{{- if .Runner}}
        l_of_user pls_integer;
{{- end}}
        l_alarm_id number;
        l_text varchar2(2000) := substrb(in_text, 1, 2000);
        l_since timestamp with time zone := {{.P}}base.utc_now - interval '10' minute;
    begin
        if l_user is null then
            select max(t.enqueued_by) into l_user from {{.P}}tasks t where t.task_id = in_task_id;
        end if;
        if l_user is null then
            select max(p.created_by) into l_user from {{.P}}processes p where p.process_id = in_process_id and p.process_id > 1;
        end if;

        -- Failures every few seconds, such as those of each lane, must not bury the other alarms.
        select count(*) into l_same
        from {{.P}}alarms a
        where a.alarm_id > (select max(b.alarm_id) from {{.P}}alarms b) - 100
          and a.kind = in_kind and a.alarm_text = l_text and a.raised_at > l_since;

{{- if .Runner}}

        -- Not those that tell of an attack. The last one says so.
        select count(*) into l_of_user
        from {{.P}}alarms a
        where a.alarm_id > (select max(b.alarm_id) from {{.P}}alarms b) - 100
          and nlssort(a.user_name, 'NLS_SORT=BINARY') = nlssort(l_user, 'NLS_SORT=BINARY') and a.raised_at > {{.P}}base.utc_now - interval '1' hour
          and in_kind <> 'WorkerError' and {{.P}}rights.name_of(l_user) <> {{.OwnerLit}}
          and not exists (select 1 from {{.P}}administrators d where nlssort(d.user_name, 'NLS_SORT=BINARY') = nlssort(l_user, 'NLS_SORT=BINARY'));

        l_same := l_same + greatest(l_of_user - 19, 0);
        if l_of_user = 19 then
            l_text := substrb(l_text, 1, 1800) || ' (This is the 20th alarm in an hour about what belongs to ' || {{.P}}rights.name_of(l_user)
                || '. Further ones are not recorded.)';
        end if;
{{- end}}

        if l_same = 0 then
            l_alarm_id := {{.P}}alarm_seq.nextval;

            insert into {{.P}}alarms (alarm_id, raised_at, kind, process_id, task_id, lane_id, user_name, alarm_text)
            values (l_alarm_id, systimestamp at time zone '+00:00', in_kind, in_process_id, in_task_id, in_lane_id, l_user, l_text);

            -- In a copy, hooks do not run; each call would wait there until start_scheduler.
            if in_kind <> 'Copy' then
                {{.P}}admin.call_hook(l_alarm_id, in_process_id);
            end if;
        end if;
    end alarm;

    function is_copy (in_settings in {{.P}}settings%rowtype) return boolean is
        l_place varchar2(5) := {{.P}}base.place(in_settings.home, in_settings.home_guid, in_settings.also_on);
    begin
        if l_place = 'Copy' then
            alarm('Copy', 'This is a copy of ' || in_settings.home || ', where the scheduler was started. If the database moved:'
                || ' dbsched.start_scheduler(in_moved => true) (dbsched start --moved). To run tasks here, too: in_here (dbsched start --here).');
        elsif l_place = 'Moved' then
            alarm('Moved', 'The scheduler moved from ' || in_settings.home || ' to ' || {{.P}}base.home || ', which dbsched start --also-on has'
                || ' named, or whose container has the same GUID. If the other database is still open, both run the same tasks:'
                || ' run dbsched stop in one of them.');
            update {{.P}}settings s set s.home = {{.P}}base.home, s.home_guid = {{.P}}base.container_guid where s.settings_id = 1;
        end if;

        return l_place = 'Copy';
    end is_copy;

    procedure close_if_done (in_process_id in number) is
    begin
        -- An uncommitted task is not visible here. If it is committed late, the sweep skips it with an alarm.
        update {{.P}}processes p
        set p.status = case when p.tasks_failed > 0 then 'Failed' else 'Succeeded' end,
            p.finished_at = systimestamp at time zone '+00:00',
            p.has_work = 'N'
        where p.process_id = in_process_id
          and p.status = 'Closing'
          and not exists (select 1 from {{.P}}tasks t where t.unfinished_process_id = in_process_id);

        if sql%rowcount = 1 then
            {{.P}}schedule.next_firing(in_process_id);
        end if;
    end close_if_done;

    function lock_id (in_lane_id in number) return integer is
        l_base number;
    begin
        select s.lock_base into l_base from {{.P}}settings s where s.settings_id = 1;
        return l_base + in_lane_id;
    end lock_id;

    -- Requests SS mode, which conflicts only with X, so that two checks do not block each other and a starting lane hardly waits.
    function lock_free (in_lane_id in number) return boolean is
        l_id integer := lock_id(in_lane_id);
        l_result integer;
    begin
        l_result := dbms_lock.request(id => l_id, lockmode => dbms_lock.ss_mode, timeout => 0, release_on_commit => false);

        if l_result = 0 then
            l_result := dbms_lock.release(id => l_id);
            return true;
        end if;

        -- 1: another session has it; 4: this session has it; anything else does not prove that the worker is dead.
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

        -- A task can release the lock by its number; its session would still exist.
        return session_gone(l_key);
    end lane_dead;

    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2) is
        l_result integer;
    begin
        l_result := dbms_lock.request(id => lock_id(in_lane_id), lockmode => dbms_lock.x_mode, timeout => in_seconds, release_on_commit => false);
        -- 4: this session already has it.
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
            alarm('LaneHeld', 'The worker of lane ' || in_lane_id || ' lost its lock, but its session still exists. No other worker uses the lane until that session ends.', in_lane_id => in_lane_id);
            commit write immediate wait;
            release_lock(in_lane_id);
            return;
        end if;

        -- A task could guess a plain SYS_GUID, because it can create its own.
        select substr(rawtohex(standard_hash(s.salt || rawtohex(sys_guid()), 'SHA256')), 1, 32) into l_worker_id
        from {{.P}}settings s
        where s.settings_id = 1;

        recover(in_lane_id, l_worker_id);

        update {{.P}}lanes l
        set l.worker_id = l_worker_id,
            l.session_id = to_number(sys_context('USERENV', 'SID')),
            l.instance_id = to_number(sys_context('USERENV', 'INSTANCE')),
            l.session_key = l_me,
            l.entered_at = systimestamp at time zone '+00:00',
            l.submitter = null
        where l.lane_id = in_lane_id;

        if sql%rowcount = 0 then
            -- The lane was taken away in the meantime, or its last session, which called task_scheduler, has just removed the row.
            rollback;
            release_lock(in_lane_id);
            return;
        end if;

        commit write immediate wait;
        out_worker_id := l_worker_id;
    end enter;

