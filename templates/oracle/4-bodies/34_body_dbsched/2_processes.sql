    procedure create_process (
        in_name in varchar2,
        out_process_id out number,
        in_suspended in boolean default false,
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null)
    is
        l_on_error varchar2(8);
        l_status varchar2(10) := case when in_suspended then 'Suspended' else 'Open' end;
    begin
        if in_name is null or length(in_name) > 128 then
            {{.P}}base.fail(20012, 'in_name is NULL, empty or longer than 128 characters.');
        end if;

        {{.P}}base.need_whole('in_priority', in_priority, -1000000, 1000000);
        {{.P}}base.need_whole('in_weight', in_weight, 1, 1000);
        {{.P}}base.need_whole('in_max_parallel', in_max_parallel, 1, in_null_too => true);

        if in_priority > 0 or in_weight > 1 then
            {{.P}}rights.require_administrator('a process with a priority above 0 or a weight above 1, for which others wait,');
        end if;

        l_on_error := case lower(in_on_error) when 'halt' then 'Halt' when 'continue' then 'Continue' end;
        if l_on_error is null then
            {{.P}}base.fail(20008, 'in_on_error must be Halt or Continue.');
        end if;

        out_process_id := {{.P}}process_seq.nextval;

        insert into {{.P}}processes
            (process_id, name, status, priority, weight, max_parallel, on_error, created_at, created_by, created_by_os_user, created_by_client)
        values
            (out_process_id, in_name, l_status, in_priority, in_weight, in_max_parallel, l_on_error, systimestamp at time zone '+00:00',
             {{.P}}rights.submitter, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
    end create_process;

    -- Records a request to release or close a process, which applies when the caller's transaction commits.
    procedure request_process (in_process_id in number, in_action in varchar2) is
        l_process {{.P}}processes%rowtype;
    begin
        if in_process_id in (0, 1) then
            {{.P}}base.fail(20013, 'processes 0 (of schedules) and 1 (the default process) are always open.');
        end if;

        l_process := {{.P}}rights.process_of(in_process_id);

        -- Already so, or ended: nothing to request. A failed or canceled process may be retried, and closes then.
        if l_process.status = 'Succeeded'
           or (in_action = 'Release' and l_process.status <> 'Suspended')
           or (in_action = 'Close' and l_process.status = 'Closing')
        then
            return;
        end if;

        {{.P}}wake.send(in_process_id);

        insert into {{.P}}process_requests (request_id, process_id, action, requested_at)
        values ({{.P}}request_seq.nextval, in_process_id, in_action, systimestamp at time zone '+00:00');
    end request_process;

    procedure release_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Release');
    end release_process;

    procedure close_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Close');
    end close_process;

    -- What is left of a process. A separate transaction, because a serializable or read-only transaction would see the same
    -- instant as long as it waits.
    procedure look (in_process_id in number, out_requests out number, out_tasks out number, out_status out varchar2) is
        pragma autonomous_transaction;
    begin
        {{.P}}base.begin_transaction;
        -- Requests first: one that is applied between the two reads has changed the status before the second.
        select count(*) into out_requests from {{.P}}process_requests r where r.process_id = in_process_id;
        select count(*) into out_tasks from {{.P}}tasks t where t.unfinished_process_id = in_process_id and rownum <= 1;
        select max(p.status) into out_status from {{.P}}processes p where p.process_id = in_process_id;
        rollback;
    end look;

    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2)
    is
        l_process {{.P}}processes%rowtype;
        l_until timestamp with time zone;
        l_tasks number;
        l_requests number;
        l_polls pls_integer := 0;
    begin
        refuse_transaction('wait_process');

        {{.P}}base.need_whole('in_timeout_seconds', in_timeout_seconds, 0, 604800);

        l_process := {{.P}}rights.process_of(in_process_id);

        if own_process = in_process_id then
            {{.P}}base.fail(20017, 'a task cannot wait for its own process.');
        end if;

        l_until := systimestamp + numtodsinterval(in_timeout_seconds, 'SECOND');

        loop
            look(in_process_id, l_requests, l_tasks, out_status);

            if out_status is null then
                -- It finished and was purged in the meantime.
                {{.P}}base.fail(20004, 'process ' || in_process_id || ' no longer exists: it finished and was purged.');
            end if;
            out_result := case when out_status = 'Succeeded' or (out_status = 'Open' and l_tasks = 0 and l_requests = 0) then 0
                               when out_status in ('Failed', 'Cancelled') then 1
                               when systimestamp >= l_until then 2 end;
            exit when out_result is not null;
            l_polls := l_polls + 1;
            dbms_session.sleep(case when l_polls <= 10 then 0.1 else 0.5 end);
        end loop;
    end wait_process;

    procedure wait_process (in_process_id in number, in_timeout_seconds in number) is
        l_result number;
        l_status varchar2(10);
    begin
        wait_process(in_process_id, in_timeout_seconds, l_result, l_status);
    end wait_process;

