create or replace package body {{.P}}resource as
    -- Of those met while looking for a circle of waiting sessions and tasks.
    type t_met is table of pls_integer index by varchar2(64);

    function session_gone (in_session_key in varchar2) return boolean is
    begin
        return not dbms_session.is_session_alive(in_session_key);
    end session_gone;

    -- Locks a line until the end of the transaction; NULL: the resource has been dropped. Every change of a line begins with it,
    -- and each statement after it sees what the last holder has committed.
    function lock_line (in_resource_id in number) return number is
        l_capacity number;
    begin
        select s.capacity into l_capacity
        from {{.P}}resources s
        where s.resource_id = in_resource_id
        for update wait 10;

        return l_capacity;
    exception
        when no_data_found then
            return null;
    end lock_line;

    function resource_of (in_name in varchar2) return number is
        l_resource_id number;
    begin
        select max(s.resource_id) into l_resource_id from {{.P}}resources s where s.name = in_name;
        return l_resource_id;
    end resource_of;

    -- Grants to those whose turn it is: first come, first served; a request for all units waits until none is held, and holds
    -- back all after it. Whoever waits and is dead is taken out of the line. The caller holds the line's lock.
    -- in_own: a request of the caller's, who sees for himself whether it was granted.
    procedure grant_turns (in_resource_id in number, in_capacity in number, in_own in number default null) is
        l_request_id number;
        l_access varchar2(9);
        l_key varchar2(24);
        l_give_up timestamp with time zone;
        l_held pls_integer;
        l_exclusive pls_integer;
        l_now timestamp with time zone := {{.P}}base.utc_now;
        l_wake boolean := false;
    begin
        loop
            select min(r.request_id) into l_request_id
            from {{.P}}resource_requests r
            where r.resource_id = in_resource_id and r.status = 'Waiting';

            exit when l_request_id is null;

            select r.access_mode, r.session_key, r.give_up_at into l_access, l_key, l_give_up
            from {{.P}}resource_requests r
            where r.request_id = l_request_id;

            -- All holders stand before the first that waits, so they are all that counts.
            select count(*), count(case when r.access_mode = 'Exclusive' then 1 end) into l_held, l_exclusive
            from {{.P}}resource_requests r
            where r.resource_id = in_resource_id and r.status in ('Granted', 'Reserved');

            exit when l_exclusive > 0 or l_held >= in_capacity or (l_access = 'Exclusive' and l_held > 0);

            if l_key is not null and l_request_id <> nvl(in_own, 0) and (l_give_up <= l_now or session_gone(l_key)) then
                delete from {{.P}}resource_requests r where r.request_id = l_request_id;
            else
                update {{.P}}resource_requests r
                set r.status = case when r.request_id = in_own then 'Granted' else 'Reserved' end,
                    r.granted_at = l_now,
                    r.lease_until = l_now + numtodsinterval(r.lease_seconds, 'SECOND')
                where r.request_id = l_request_id;

                -- The dispatcher makes the task Pending: whoever is here may not lock its process any more.
                l_wake := l_wake or (l_key is null and l_request_id <> nvl(in_own, 0));
            end if;
        end loop;

        if l_wake then
            {{.P}}wake.send_now;
        end if;
    end grant_turns;

    procedure join_line (
        in_process_id in number,
        in_task_id in number,
        in_resource_id in number,
        in_access in varchar2,
        out_state out varchar2)
    is
        l_capacity number := lock_line(in_resource_id);
        l_request_id number;
    begin
        if l_capacity is null then
            out_state := 'Gone';
            return;
        end if;

        select max(r.request_id), max(r.status) into l_request_id, out_state
        from {{.P}}resource_requests r
        where r.process_id = in_process_id and r.task_id = in_task_id and r.session_key is null;

        if l_request_id is null then
            l_request_id := {{.P}}line_seq.nextval;

            insert into {{.P}}resource_requests
                (resource_id, request_id, status, access_mode, requester, process_id, task_id, requested_at, requested_by, requested_by_os_user, requested_by_client)
            select in_resource_id, l_request_id, 'Waiting', in_access, 'task ' || t.task_id, t.process_id, t.task_id, systimestamp at time zone 'UTC',
                   t.enqueued_by, t.enqueued_by_os_user, t.enqueued_by_client
            from {{.P}}tasks t
            where t.task_id = in_task_id;

            grant_turns(in_resource_id, l_capacity, l_request_id);

            select max(r.status) into out_state from {{.P}}resource_requests r where r.request_id = l_request_id;
        elsif out_state = 'Reserved' then
            update {{.P}}resource_requests r set r.status = 'Granted' where r.request_id = l_request_id;
            out_state := 'Granted';
        end if;
    end join_line;

    procedure leave_line (in_process_id in number, in_task_id in number default null) is
        co_last_id constant number := 9999999999999999999;
        l_last number := 0;
        l_resource_id number;
        l_capacity number;
    begin
        -- Most tasks name no resource: that costs one look into an index. Bounds and not OR, so that it is a look for the task
        -- where one is given: thousands of its process may stand in lines.
        loop
            select min(r.resource_id) into l_resource_id
            from {{.P}}resource_requests r
            where r.process_id = in_process_id and r.resource_id > l_last
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from {{.P}}tasks t where t.task_id = r.task_id and t.finished_at is not null));

            exit when l_resource_id is null;
            l_last := l_resource_id;
            l_capacity := lock_line(l_resource_id);

            delete from {{.P}}resource_requests r
            where r.resource_id = l_resource_id and r.process_id = in_process_id
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from {{.P}}tasks t where t.task_id = r.task_id and t.finished_at is not null));

            grant_turns(l_resource_id, l_capacity);
        end loop;
    end leave_line;

    procedure free_stale (in_resource_id in number default null) is
        l_last number := 0;
        l_row {{.P}}resource_requests%rowtype;
        l_request_id number;
        l_capacity number;
        l_name varchar2(128 char);
        l_why varchar2(100);
    begin
        loop
            select min(r.session_request_id) into l_request_id
            from {{.P}}resource_requests r
            where r.session_request_id > l_last and (in_resource_id is null or r.resource_id = in_resource_id);

            exit when l_request_id is null;
            l_last := l_request_id;
            {{.P}}base.begin_transaction;

            begin
                select r.* into l_row from {{.P}}resource_requests r where r.request_id = l_request_id;
            exception
                -- Released a moment ago.
                when no_data_found then
                    continue;
            end;

            -- With a lease the session is forgotten once it has been told.
            l_why := case
                when l_row.lease_until <= {{.P}}base.utc_now then 'its lease ran out'
                when l_row.status <> 'Granted' and l_row.give_up_at <= {{.P}}base.utc_now then 'it gave up'
                when (l_row.status <> 'Granted' or l_row.lease_seconds is null) and session_gone(l_row.session_key) then 'its session ' || l_row.session_id || ' ended'
            end;

            if l_why is not null then
                l_capacity := lock_line(l_row.resource_id);

                delete from {{.P}}resource_requests r where r.request_id = l_request_id and r.status = l_row.status;

                if sql%rowcount = 1 then
                    grant_turns(l_row.resource_id, l_capacity);

                    if l_row.status = 'Granted' then
                        select s.name into l_name from {{.P}}resources s where s.resource_id = l_row.resource_id;
                        {{.P}}worker.alarm('StaleResource', 'The resource "' || l_name || '" was taken from "' || l_row.requester || '" (request ' || l_request_id
                            || '), who had not released it: ' || l_why || '.', l_row.process_id, l_row.task_id);
                    end if;
                end if;

                commit write immediate wait;
            end if;
        end loop;
    end free_stale;

    procedure serve is
        l_last number := 0;
        l_request_id number;
        l_resource_id number;
        l_process_id number;
        l_task_id number;
        l_capacity number;
        l_locked number;
        l_held varchar2(1);
        l_passed number := 0;
        l_lease timestamp(6);
    begin
        select min(r.lease_utc) into l_lease from {{.P}}resource_requests r;
        if l_lease <= sys_extract_utc(systimestamp) then
            free_stale;
        end if;

        for i in 1 .. 500 loop
            select min(r.reserved_request_id) into l_request_id
            from {{.P}}resource_requests r
            where r.reserved_request_id > l_last;

            exit when l_request_id is null;
            l_last := l_request_id;

            select max(r.resource_id), max(r.process_id), max(r.task_id) into l_resource_id, l_process_id, l_task_id
            from {{.P}}resource_requests r
            where r.request_id = l_request_id;

            continue when l_process_id is null or l_process_id = l_passed;

            -- Who halts or cancels very many tasks holds their process for long: the tasks of others do not wait for him.
            {{.P}}base.lock_process(l_process_id, l_held);
            if l_held = 'Y' then
                l_passed := l_process_id;
                continue;
            end if;

            update {{.P}}tasks t
            set t.status = 'Pending', t.wait_reason = null
            where t.task_id = l_task_id and t.status = 'Waiting' and t.wait_reason = 'Resource';

            if sql%rowcount = 1 then
                update {{.P}}processes p set p.has_work = 'Y' where p.process_id = l_process_id and p.finished_at is null;

                -- Under the line's lock, like every change of a line: who counts holders must not miss one that moves.
                l_capacity := lock_line(l_resource_id);
                update {{.P}}resource_requests r set r.status = 'Granted' where r.request_id = l_request_id and r.status = 'Reserved';
            else
                -- Its turn came while it was cancelled. A claim that came first has made it Granted: that one stays.
                select count(*) into l_locked
                from {{.P}}resource_requests r
                where r.request_id = l_request_id and r.status = 'Reserved';

                if l_locked > 0 then
                    leave_line(l_process_id, l_task_id);
                end if;
            end if;

            commit write immediate wait;
        end loop;

        -- A full slice, or a process that was held: the rest in the next turn, at once.
        if l_request_id is not null or l_passed > 0 then
            {{.P}}wake.send_now;
            commit write immediate wait;
        end if;
    end serve;

    procedure sweep is
        l_last number := 0;
        l_process_id number;
        l_locked number;
    begin
        free_stale;

        -- Places of tasks that have ended: nobody should have left one.
        loop
            select min(r.process_id) into l_process_id
            from {{.P}}resource_requests r
            inner join {{.P}}tasks t on t.task_id = r.task_id
            where r.process_id > l_last and t.finished_at is not null;

            exit when l_process_id is null;
            l_last := l_process_id;

            {{.P}}base.begin_transaction;
            select p.process_id into l_locked from {{.P}}processes p where p.process_id = l_process_id for update wait 10;
            leave_line(l_process_id);
            commit write immediate wait;
        end loop;
    end sweep;

    procedure define (in_name in varchar2, in_capacity in number) is
        pragma autonomous_transaction;
        l_resource_id number;
        l_capacity number;
    begin
        {{.P}}base.begin_transaction;

        begin
            insert into {{.P}}resources (resource_id, name, capacity, created_at, changed_at)
            values ({{.P}}resource_seq.nextval, in_name, in_capacity, systimestamp at time zone 'UTC', systimestamp at time zone 'UTC');
        exception
            -- Of two who define the same name one waits for the other's commit, and then finds it.
            when dup_val_on_index then
                l_resource_id := resource_of(in_name);
                l_capacity := lock_line(l_resource_id);

                update {{.P}}resources s
                set s.capacity = in_capacity, s.changed_at = systimestamp at time zone 'UTC'
                where s.resource_id = l_resource_id;

                grant_turns(l_resource_id, in_capacity);
        end;

        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end define;

    procedure forget (in_name in varchar2) is
        pragma autonomous_transaction;
        l_resource_id number := resource_of(in_name);
        l_wanted pls_integer;
    begin
        {{.P}}base.begin_transaction;

        if l_resource_id is null or lock_line(l_resource_id) is null then
            {{.P}}base.fail(20040, 'there is no such resource.');
        end if;

        select count(*) into l_wanted from {{.P}}resource_requests r where r.resource_id = l_resource_id and rownum <= 1;
        if l_wanted = 0 then
            select count(*) into l_wanted
            from {{.P}}tasks t
            where t.unfinished_process_id > 0 and t.resource_id = l_resource_id and rownum <= 1;
        end if;

        if l_wanted > 0 then
            {{.P}}base.fail(20047, 'somebody holds the resource or waits for it, or a task that has not ended names it.');
        end if;

        delete from {{.P}}resources s where s.resource_id = l_resource_id;
        commit write immediate wait;
    exception
        when others then
            rollback;
            raise;
    end forget;

    -- Whose a request is, for those who look for a circle: the task's, or the session's.
    function owner_of (in_task_id in number, in_session_key in varchar2) return varchar2 is
    begin
        return case when in_task_id is not null then 'task ' || in_task_id else in_session_key end;
    end owner_of;

    -- Tells whether somebody who must be gone before a request's turn comes is in_owner, or waits for him in turn. Whoever closes
    -- a circle commits last, and so sees all of it. Leases run out: they are no circle.
    function waits_for (in_request_id in number, in_owner in varchar2, io_met in out nocopy t_met) return boolean is
        l_owner varchar2(64);
        l_next number;
    begin
        -- Where there is one unit, or one of the two or somebody between them wants all, each holder must go.
        for r in (
            select h.task_id, h.session_key
            from {{.P}}resource_requests w
            inner join {{.P}}resources s on s.resource_id = w.resource_id
            inner join {{.P}}resource_requests h on h.resource_id = w.resource_id
            where w.request_id = in_request_id
              and h.status in ('Granted', 'Reserved')
              and (h.session_key is null or h.lease_seconds is null)
              and (s.capacity = 1 or w.access_mode = 'Exclusive' or h.access_mode = 'Exclusive'
                   or exists (select 1 from {{.P}}resource_requests x
                              where x.resource_id = w.resource_id and x.status = 'Waiting' and x.access_mode = 'Exclusive' and x.request_id < w.request_id))
        ) loop
            l_owner := owner_of(r.task_id, r.session_key);

            if l_owner = in_owner then
                return true;
            elsif not io_met.exists(l_owner) then
                io_met(l_owner) := 1;

                select min(x.request_id) into l_next
                from {{.P}}resource_requests x
                where x.status = 'Waiting' and x.session_key is not null and (x.task_id = r.task_id or (r.task_id is null and x.session_key = r.session_key));

                if l_next is not null and waits_for(l_next, in_owner, io_met) then
                    return true;
                end if;
            end if;
        end loop;

        return false;
    end waits_for;

    -- Tells whether the nearest session before a request is gone: it may have held the resource.
    function one_before_gone (in_resource_id in number, in_request_id in number) return boolean is
        l_before number;
        l_key varchar2(24);
    begin
        select max(r.session_request_id) into l_before
        from {{.P}}resource_requests r
        where r.resource_id = in_resource_id and r.session_request_id < in_request_id
          and (r.lease_seconds is null or r.status <> 'Granted');

        select max(r.session_key) into l_key from {{.P}}resource_requests r where r.request_id = l_before;
        return l_key is not null and session_gone(l_key);
    end one_before_gone;

    -- Takes a request out of its line.
    procedure withdraw (in_resource_id in number, in_request_id in number, out_rows out number) is
        l_capacity number := lock_line(in_resource_id);
    begin
        delete from {{.P}}resource_requests r where r.request_id = in_request_id;
        out_rows := sql%rowcount;
        grant_turns(in_resource_id, l_capacity);
    end withdraw;

    procedure acquire (
        in_name in varchar2,
        in_access in varchar2,
        in_requester in varchar2,
        in_timeout_seconds in number,
        in_lease_seconds in number,
        out_request_id out number)
    is
        pragma autonomous_transaction;
        l_me varchar2(24) := dbms_session.unique_session_id;
        l_until timestamp with time zone := {{.P}}base.utc_now + numtodsinterval(in_timeout_seconds, 'SECOND');
        l_checked timestamp with time zone := {{.P}}base.utc_now;
        l_now timestamp with time zone;
        l_resource_id number := resource_of(in_name);
        l_capacity number;
        l_task_id number;
        l_process_id number;
        l_request_id number;
        l_status varchar2(8);
        l_met t_met;
        l_polls pls_integer := 0;
        l_rows number;
    begin
        {{.P}}base.begin_transaction;
        l_capacity := lock_line(l_resource_id);
        if l_capacity is null then
            {{.P}}base.fail(20040, 'there is no such resource; define_resource makes one.');
        end if;

        -- What a task acquires it gives back when it ends, if not before.
        select max(t.task_id), max(t.process_id) into l_task_id, l_process_id
        from {{.P}}lanes l
        inner join {{.P}}tasks t on t.task_id = l.task_id
        where l.session_key = l_me and l.task_id is not null and t.worker_id = l.worker_id;

        l_request_id := {{.P}}line_seq.nextval;

        insert into {{.P}}resource_requests
            (resource_id, request_id, status, access_mode, requester, process_id, task_id, session_id, session_key, lease_seconds, give_up_at,
             requested_at, requested_by, requested_by_os_user, requested_by_client)
        values
            (l_resource_id, l_request_id, 'Waiting', in_access, in_requester, l_process_id, l_task_id, to_number(sys_context('USERENV', 'SID')), l_me,
             in_lease_seconds, l_until + interval '30' second, systimestamp at time zone 'UTC', {{.P}}rights.submitter,
             substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));

        grant_turns(l_resource_id, l_capacity, l_request_id);
        commit write immediate wait;

        loop
            {{.P}}base.begin_transaction;
            select max(r.status) into l_status from {{.P}}resource_requests r where r.request_id = l_request_id;

            if l_status is null then
                {{.P}}base.fail(20044, 'the request was taken out of the line.');
            end if;

            exit when l_status = 'Granted';

            if l_status = 'Reserved' or {{.P}}base.utc_now >= l_until then
                l_capacity := lock_line(l_resource_id);
                l_now := {{.P}}base.utc_now;

                update {{.P}}resource_requests r
                set r.status = 'Granted', r.lease_until = l_now + numtodsinterval(r.lease_seconds, 'SECOND')
                where r.request_id = l_request_id and r.status = 'Reserved';

                if sql%rowcount = 0 then
                    -- Nothing stays, and whoever was held back by this request does not wait for it any more.
                    delete from {{.P}}resource_requests r where r.request_id = l_request_id;
                    grant_turns(l_resource_id, l_capacity);
                    commit write immediate wait;
                    return;
                end if;

                commit write immediate wait;
                exit;
            end if;

            if l_polls = 0 and waits_for(l_request_id, owner_of(l_task_id, l_me), l_met) then
                select count(*) into l_rows
                from {{.P}}resource_requests r
                where r.resource_id = l_resource_id and r.status in ('Granted', 'Reserved') and (r.session_key = l_me or r.task_id = l_task_id);

                if l_rows > 0 then
                    {{.P}}base.fail(20042, 'this session holds the resource already, and would wait for itself.');
                end if;
                {{.P}}base.fail(20043, 'this session and others waited for each other''s resources; it gave up its request.');
            end if;

            -- The dispatcher may be stopped. A dead session before this one is noticed at once, others after a while.
            if {{.P}}base.utc_now >= l_checked + interval '5' second or one_before_gone(l_resource_id, l_request_id) then
                free_stale(l_resource_id);
                l_checked := {{.P}}base.utc_now;
            end if;

            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;

        if in_lease_seconds is not null then
            {{.P}}wake.send_now; -- the dispatcher's clock must know when the lease runs out
        end if;

        commit write immediate wait;
        out_request_id := l_request_id;
    exception
        when others then
            {{.P}}base.begin_transaction;

            begin
                withdraw(l_resource_id, l_request_id, l_rows);
                commit write immediate wait;
            exception
                -- It gives up by its time-out, then.
                when others then
                    rollback;
            end;

            raise;
    end acquire;

    procedure give_back (in_request_id in number) is
        pragma autonomous_transaction;
        l_row {{.P}}resource_requests%rowtype;
        l_rows number := 0;
    begin
        {{.P}}base.begin_transaction;

        begin
            select r.* into l_row from {{.P}}resource_requests r where r.request_id = in_request_id;
        exception
            when no_data_found then
                null;
        end;

        if l_row.request_id is not null then
            {{.P}}rights.require_owner(l_row.requested_by, 20045, 'request ' || in_request_id);

            if l_row.session_key is null then
                {{.P}}base.fail(20046, 'the request is a task''s, which gives it back when it ends; cancel_task ends it.');
            end if;

            withdraw(l_row.resource_id, in_request_id, l_rows);
            commit write immediate wait;
        end if;

        if l_rows = 0 then
            {{.P}}base.fail(20044, 'there is no such request: it was released before, or taken away because its session ended or its lease ran out.');
        end if;
    exception
        when others then
            rollback;
            raise;
    end give_back;
end {{.P}}resource;
