    -- Refuses what people copy from SQL*Plus, which would fail only when it runs: EXEC, and a COMMIT after a statement.
    procedure check_text (in_sql in clob, in_which in varchar2) is
        co_blanks constant varchar2(4) := ' ' || chr(9) || chr(10) || chr(13);
        l_first varchar2(8 char) := lower(substr(ltrim(in_sql, co_blanks), 1, 8));
        l_last varchar2(40 char) := rtrim(lower(substr(in_sql, greatest(length(in_sql) - 39, 1))), co_blanks || ';/');
    begin
        if nvl(length(ltrim(in_sql, co_blanks)), 0) = 0 then
            {{.P}}base.fail(20001, in_which || 'in_sql is NULL or empty; pass a statement or block.');
        elsif substr(l_first, 1, 5) = 'exec ' or l_first = 'execute ' then
            {{.P}}base.fail(20001, in_which || 'in_sql begins with EXEC, a command of SQL*Plus; write: begin my_procedure; end;');
        elsif instr(l_last, ';') > 0 and ltrim(substr(l_last, instr(l_last, ';', -1) + 1), co_blanks) = 'commit' and instr(in_sql, '--') = 0 then
            {{.P}}base.fail(20001, in_which || 'in_sql has COMMIT after a statement; remove it, since each task is committed, or write: begin ...; end;');
        end if;
    end check_text;

    -- Makes the row of a task, or refuses the task; in_which starts the error text. The process is not checked here.
    procedure make_row (in_task in dbsched.t_task, in_which in varchar2, out_row out task_row) is
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
        l_error number;
        l_problem varchar2(1000);
    begin
        check_text(in_task.sql_text, in_which);

        if in_task.execution_order is null then
            {{.P}}base.fail(20002, in_which || 'in_execution_order is NULL; pass the number of a wave.');
        end if;

        {{.P}}base.need_whole(in_which || 'in_execution_order', in_task.execution_order, -2147483648);
        {{.P}}base.need_whole(in_which || 'in_priority', in_task.priority, -1000000, 1000000);
        {{.P}}base.need_whole(in_which || 'in_max_attempts', in_task.max_attempts, 1, 100);
        {{.P}}base.need_whole(in_which || 'in_retry_delay_seconds', in_task.retry_delay_seconds, 0, 86400);
        {{.P}}base.need_whole(in_which || 'in_expected_seconds', in_task.expected_seconds, 0);
        {{.P}}base.need_whole(in_which || 'in_timeout_seconds', in_task.timeout_seconds, 1, in_null_too => true);

        out_row.on_orphan := case lower(in_task.on_orphan) when 'retry' then 'Retry' when 'fail' then 'Fail' end;
        if out_row.on_orphan is null then
            {{.P}}base.fail(20008, in_which || 'in_on_orphan must be Retry or Fail.');
        end if;

        out_row.access_mode := case lower(nvl(in_task.access_mode, 'Shared')) when 'shared' then 'Shared' when 'exclusive' then 'Exclusive' end;
        if out_row.access_mode is null then
            {{.P}}base.fail(20008, in_which || 'in_access must be Shared or Exclusive.');
        end if;

        if in_task.resource_name is null then
            if in_task.access_mode is not null then
                {{.P}}base.fail(20041, in_which || 'in_access needs in_resource, which is NULL.');
            end if;
            out_row.access_mode := null;
        else
            out_row.resource_id := {{.P}}resource.resource_of(in_task.resource_name);
            if out_row.resource_id is null then
                {{.P}}base.fail(20040, in_which || 'there is no resource "' || substrb(in_task.resource_name, 1, 500) || '"; an administrator creates it with define_resource.');
            end if;
        end if;

        if in_task.dedup_key is not null and (trim(in_task.dedup_key) is null or length(in_task.dedup_key) > 200) then
            {{.P}}base.fail(20030, in_which || 'in_dedup_key is blank or longer than 200 characters.');
        end if;

        if in_task.name is not null and (trim(in_task.name) is null or length(in_task.name) > 128) then
            {{.P}}base.fail(20059, in_which || 'in_name is blank or longer than 128 characters.');
        end if;

        if in_task.parameters is not null then
            {{.P}}values.check_all(in_task.parameters, l_error, l_problem);
            if l_error is not null then
                {{.P}}base.fail(l_error, in_which || l_problem || '.');
            end if;
        end if;

        out_row.process_id := nvl(in_task.process_id, 1);
        out_row.execution_order := in_task.execution_order;
        out_row.priority := in_task.priority;
        out_row.expected_seconds := in_task.expected_seconds;
        out_row.status := case when in_task.not_before > l_now then 'Waiting' else 'Pending' end;
        out_row.wait_reason := case when in_task.not_before > l_now then 'Delay' end;
        out_row.due_at := case when in_task.not_before > l_now then in_task.not_before at time zone '+00:00' end;
        out_row.name := in_task.name;
        out_row.sql_text := in_task.sql_text;
        out_row.max_attempts := in_task.max_attempts;
        out_row.retry_delay_seconds := in_task.retry_delay_seconds;
        out_row.timeout_seconds := in_task.timeout_seconds;
        out_row.transactional := case when in_task.transactional then 'Y' else 'N' end;
        out_row.dedup_key := in_task.dedup_key;
        out_row.parameters := in_task.parameters;
    end make_row;

    -- Refuses a process that does not accept tasks. Reading takes no lock: a process that another transaction has not committed does
    -- not exist yet.
    procedure check_process (in_process_id in number, in_which in varchar2) is
        l_process {{.P}}processes%rowtype;
        l_closing pls_integer;
    begin
        -- Orders to close first: one that is applied between the two reads has changed the process before the second.
        select count(*) into l_closing
        from {{.P}}process_requests r
        where r.process_id = in_process_id and r.action = 'Close';

        l_process := {{.P}}rights.process_of(in_process_id, in_which);

        if l_process.status not in ('Open', 'Suspended') or l_process.close_requested = 'Y' or l_closing > 0 then
            {{.P}}base.fail(20005, in_which || 'process ' || in_process_id || ' is closed or finished and accepts no more tasks.');
        end if;
    end check_process;
