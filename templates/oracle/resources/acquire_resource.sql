    -- Removes a request from its line.
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
        l_resource_id number := resource_of(in_name);
        l_capacity number;
        l_task {{.P}}tasks%rowtype := {{.P}}rights.current_task;
        l_request_id number;
        l_status varchar2(8);
        l_met t_met;
        l_polls pls_integer := 0;
        l_rows number;
    begin
        {{.P}}base.begin_transaction;
        l_capacity := lock_line(l_resource_id);
        if l_capacity is null then
            {{.P}}base.fail(20040, 'there is no such resource; an administrator creates it with define_resource.');
        end if;

        -- With its task: acquired inside one, it is released when the task ends, if not before.
        l_request_id := {{.P}}line_seq.nextval;

        insert into {{.P}}resource_requests
            (resource_id, request_id, status, access_mode, requester, process_id, task_id, session_id, session_key, lease_seconds, give_up_at,
             requested_at, requested_by, requested_by_os_user, requested_by_client)
        values
            (l_resource_id, l_request_id, 'Waiting', in_access, in_requester, l_task.process_id, l_task.task_id, to_number(sys_context('USERENV', 'SID')), l_me,
             in_lease_seconds, l_until + interval '30' second, systimestamp at time zone '+00:00', {{.P}}rights.submitter,
             substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));

        grant_turns(l_resource_id, l_capacity, l_request_id);
        commit write immediate wait;

        loop
            {{.P}}base.begin_transaction;
            select max(r.status) into l_status from {{.P}}resource_requests r where r.request_id = l_request_id;

            if l_status is null then
                {{.P}}base.fail(20044, 'the request was removed from the line; an administrator may have ended it.');
            end if;

            exit when l_status = 'Granted';

            if l_status = 'Reserved' or {{.P}}base.utc_now >= l_until then
                l_capacity := lock_line(l_resource_id);

                update {{.P}}resource_requests r
                set r.status = 'Granted', r.lease_until = (systimestamp at time zone '+00:00') + numtodsinterval(r.lease_seconds, 'SECOND')
                where r.request_id = l_request_id and r.status = 'Reserved';

                if sql%rowcount = 0 then
                    -- Nothing is left of the request, and requests that it blocked no longer wait for it.
                    delete from {{.P}}resource_requests r where r.request_id = l_request_id;
                    grant_turns(l_resource_id, l_capacity);
                    commit write immediate wait;
                    return;
                end if;

                commit write immediate wait;
                exit;
            end if;

            if l_polls = 0 and waits_for(l_request_id, owner_of(l_task.task_id, l_me), l_met) then
                select count(*) into l_rows
                from {{.P}}resource_requests r
                where r.resource_id = l_resource_id and r.status in ('Granted', 'Reserved') and (r.session_key = l_me or r.task_id = l_task.task_id);

                if l_rows > 0 then
                    {{.P}}base.fail(20042, 'this session already holds the resource and would wait for itself; release it first.');
                end if;
                {{.P}}base.fail(20043, 'this session and others waited for each other''s resources; its request was withdrawn. Release what it holds, and acquire in the same order everywhere.');
            end if;

            -- The dispatcher may be stopped. A dead session just before this one is noticed at once, others after a while.
            if {{.P}}base.utc_now >= l_checked + interval '5' second or one_before_gone(l_resource_id, l_request_id) then
                free_stale(l_resource_id);
                l_checked := {{.P}}base.utc_now;
            end if;

            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;

        if in_lease_seconds is not null then
            {{.P}}wake.send_now; -- the dispatcher must know when the lease expires
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
                -- It then gives up at its timeout.
                when others then
                    rollback;
            end;

            raise;
    end acquire;
