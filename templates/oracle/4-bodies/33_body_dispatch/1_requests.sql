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

    -- Applies committed requests of release_process and close_process. out_later: Y = some are left.
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
            -- A process that failed before its close was applied closes when it is retried.
            where p.process_id = l_process_id and (p.finished_at is null or l_action = 'Close');

            delete from {{.P}}process_requests r where r.request_id = l_request_id;
            {{.P}}worker.close_if_done(l_process_id);

            commit write immediate wait;
        end loop;

        -- A full slice: the next turn follows at once and takes the rest.
        if l_request_id is not null then
            {{.P}}wake.send_now;
            commit write immediate wait;
        end if;
    end apply_requests;

    -- Makes due delayed tasks and retries claimable, in slices. If some are left they are due, so the next turn follows at once.
    procedure release_due is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_last timestamp(6) := timestamp '1900-01-01 00:00:00';
        l_due timestamp(6);
        l_process_id number;
        l_passed number := -1;
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
            set p.has_work = 'Y', p.wave_order = null
            where p.process_id = l_process_id and p.finished_at is null;

            commit write immediate wait;
        end loop;
    end release_due;

