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
