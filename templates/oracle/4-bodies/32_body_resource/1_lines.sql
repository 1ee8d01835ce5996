create or replace package body {{.P}}resource as
    -- Owners already visited in the search for a circle of waiting sessions and tasks.
    type t_met is table of pls_integer index by varchar2(64);

    -- Locks a line until the end of the transaction; NULL = the resource was dropped. Every change of a line starts with it,
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

    -- Grants to the next in line, first come, first served. A request for all units waits until none is held, and blocks all later
    -- ones. Waiting requests of dead sessions are removed. The caller holds the line's lock.
    -- in_own: the caller's own request; the caller checks itself whether it was granted.
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

            -- All holders come before the first waiter, so only they count.
            select count(*), count(case when r.access_mode = 'Exclusive' then 1 end) into l_held, l_exclusive
            from {{.P}}resource_requests r
            where r.resource_id = in_resource_id and r.status in ('Granted', 'Reserved');

            exit when l_exclusive > 0 or l_held >= in_capacity or (l_access = 'Exclusive' and l_held > 0);

            if l_key is not null and l_request_id <> nvl(in_own, 0) and (l_give_up <= l_now or not dbms_session.is_session_alive(l_key)) then
                delete from {{.P}}resource_requests r where r.request_id = l_request_id;
            else
                update {{.P}}resource_requests r
                set r.status = case when r.request_id = in_own then 'Granted' else 'Reserved' end,
                    r.granted_at = l_now,
                    -- The lease of a session that has not been told yet does not start here: acquire starts it.
                    r.lease_until = case when r.request_id = in_own then l_now + numtodsinterval(r.lease_seconds, 'SECOND') end
                where r.request_id = l_request_id;

                -- The dispatcher makes the task Pending: this session can no longer lock the task's process.
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
            select in_resource_id, l_request_id, 'Waiting', in_access, 'task ' || t.task_id, t.process_id, t.task_id,
                systimestamp at time zone '+00:00',
                   t.enqueued_by, t.enqueued_by_os_user, t.enqueued_by_client
            from {{.P}}tasks t
            where t.task_id = in_task_id;

            grant_turns(in_resource_id, l_capacity, l_request_id);

            select max(r.status) into out_state from {{.P}}resource_requests r where r.request_id = l_request_id;
        end if;
    end join_line;

    procedure leave_line (in_process_id in number, in_task_id in number default null) is
        co_last_id constant number := 9999999999999999999;
        l_last number := 0;
        l_resource_id number;
        l_capacity number;
    begin
        -- Most tasks name no resource: they cost one index lookup. Bounds instead of OR keep it a lookup for a given task: thousands of
        -- tasks of its process may be in lines.
        loop
            select min(r.resource_id) into l_resource_id
            from {{.P}}resource_requests r
            where r.process_id = in_process_id and r.resource_id > l_last
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from {{.P}}tasks t
                              where t.task_id = r.task_id
                                and (t.finished_at is not null
                                     or (t.status = 'Pending'
                                         and t.execution_order > (select min(e.unfinished_order) from {{.P}}tasks e where e.unfinished_process_id = in_process_id)))));

            exit when l_resource_id is null;
            l_last := l_resource_id;
            l_capacity := lock_line(l_resource_id);

            delete from {{.P}}resource_requests r
            where r.resource_id = l_resource_id and r.process_id = in_process_id
              and r.task_id between nvl(in_task_id, 0) and nvl(in_task_id, co_last_id)
              and (in_task_id is not null
                   or exists (select 1 from {{.P}}tasks t
                              where t.task_id = r.task_id
                                and (t.finished_at is not null
                                     or (t.status = 'Pending'
                                         and t.execution_order > (select min(e.unfinished_order) from {{.P}}tasks e where e.unfinished_process_id = in_process_id)))));

            grant_turns(l_resource_id, l_capacity);
        end loop;
    end leave_line;

