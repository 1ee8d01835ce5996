create or replace package body {{.P}}enqueue as
    procedure fail (in_number in pls_integer, in_text in varchar2) is
    begin
        raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_text);
    end fail;

    -- True for whole numbers within bounds, false for NULL.
    function whole_within (in_value in number, in_from in number, in_to in number) return boolean is
    begin
        return in_value is not null and in_value = trunc(in_value) and in_value between in_from and in_to;
    end whole_within;

    procedure add_task (
        in_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_priority in number,
        in_max_attempts in number,
        in_retry_delay_seconds in number,
        in_timeout_seconds in number,
        in_not_before in timestamp with time zone,
        in_expected_seconds in number,
        in_resource in varchar2,
        in_access in varchar2,
        in_transactional in boolean,
        in_on_orphan in varchar2,
        in_dedup_key in varchar2,
        in_parameters in clob,
        out_task_id out number)
    is
        l_submitter varchar2(128);
        l_process_id number := nvl(in_process_id, 1);
        l_bad varchar2(200);
        l_on_orphan varchar2(5);
        l_access varchar2(9);
        l_resource_id number;
        l_status varchar2(10);
        l_closed varchar2(1);
        l_closing pls_integer;
        l_now timestamp with time zone := systimestamp at time zone 'UTC';
        l_task_id number;
    begin
        -- All checks come before the first write.
        if nvl(length(ltrim(in_sql, ' ' || chr(9) || chr(10) || chr(13))), 0) = 0 then
            fail(20001, 'in_sql is NULL or empty.');
        end if;

        if in_execution_order is null then
            fail(20002, 'in_execution_order is NULL.');
        end if;

        l_bad := case
            when not whole_within(in_execution_order, -2147483648, 2147483647) then 'in_execution_order must be a whole number from -2147483648 to 2147483647'
            when not whole_within(in_priority, -1000000, 1000000) then 'in_priority must be a whole number from -1000000 to 1000000'
            when not whole_within(in_max_attempts, 1, 100) then 'in_max_attempts must be a whole number from 1 to 100'
            when not whole_within(in_retry_delay_seconds, 0, 86400) then 'in_retry_delay_seconds must be a whole number from 0 to 86400'
            when not whole_within(in_expected_seconds, 0, 2147483647) then 'in_expected_seconds must be a whole number, 0 or more'
            when in_timeout_seconds is not null and not whole_within(in_timeout_seconds, 1, 2147483647) then 'in_timeout_seconds must be a whole number, 1 or more'
        end;
        if l_bad is not null then
            fail(20003, l_bad || '.');
        end if;

        l_on_orphan := case lower(in_on_orphan) when 'retry' then 'Retry' when 'fail' then 'Fail' end;
        if l_on_orphan is null then
            fail(20008, 'in_on_orphan must be Retry or Fail.');
        end if;

        l_access := case lower(nvl(in_access, 'Shared')) when 'shared' then 'Shared' when 'exclusive' then 'Exclusive' end;
        if l_access is null then
            fail(20008, 'in_access must be Shared or Exclusive.');
        end if;

        if in_access is not null and in_resource is null then
            fail(20041, 'in_access says how a task uses its resource, and in_resource is NULL.');
        end if;

        l_resource_id := case when in_resource is not null then {{.P}}resource.resource_of(in_resource) end;
        if in_resource is not null and l_resource_id is null then
            fail(20040, 'there is no resource "' || substrb(in_resource, 1, 500) || '"; define_resource makes one.');
        end if;

        l_bad := case
            when in_transactional then 'in_transactional'
            when in_dedup_key is not null then 'in_dedup_key'
            when in_parameters is not null then 'in_parameters'
        end;
        if l_bad is not null then
            fail(20090, l_bad || ' is not available in this version.');
        end if;

        -- Reading waits for nobody: a process that another transaction has not committed does not exist yet.
        select max(p.status), max(p.close_requested) into l_status, l_closed
        from {{.P}}processes p
        where p.process_id = l_process_id;

        if l_status is null then
            fail(20004, 'there is no process ' || l_process_id || '.');
        end if;

        select count(*) into l_closing
        from {{.P}}process_requests r
        where r.process_id = l_process_id and r.action = 'Close';

        if l_status not in ('Open', 'Suspended') or l_closed = 'Y' or l_closing > 0 then
            fail(20005, 'process ' || l_process_id || ' is closed or finished and takes no more tasks.');
        end if;

        -- Before the first write, too: a queue that is stopped must not leave a task behind in the transaction of a caller that
        -- handles the error. Message and task become visible together whatever their order.
        {{.P}}wake.send;

        -- Not INSERT ... RETURNING: some drivers take the word in the text of a package for a clause of their own.
        l_task_id := {{.P}}task_seq.nextval;
        l_submitter := {{.P}}rights.submitter;

        insert into {{.P}}tasks
            (task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, sql_text,
             max_attempts, retry_delay_seconds, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client,
             resource_id, access_mode, timeout_seconds)
        values
            (l_task_id, l_process_id, in_execution_order, in_priority, in_expected_seconds,
             case when in_not_before > l_now then 'Waiting' else 'Pending' end,
             case when in_not_before > l_now then 'Delay' end,
             case when in_not_before > l_now then in_not_before at time zone 'UTC' end,
             in_sql, in_max_attempts, in_retry_delay_seconds, l_on_orphan, l_now,
             l_submitter, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64),
             l_resource_id, case when l_resource_id is not null then l_access end, in_timeout_seconds);

        out_task_id := l_task_id;
    end add_task;
end {{.P}}enqueue;
