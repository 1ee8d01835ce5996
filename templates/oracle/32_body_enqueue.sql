create or replace package body {{.P}}enqueue as
    -- A row of {{.P}}tasks; what all tasks of a call have in common is not in it.
    type task_row is record (
        task_id number,
        process_id number,
        execution_order number,
        priority number,
        expected_seconds number,
        status varchar2(10),
        wait_reason varchar2(10),
        due_at timestamp with time zone,
        sql_text clob,
        max_attempts number,
        retry_delay_seconds number,
        timeout_seconds number,
        on_orphan varchar2(5),
        resource_id number,
        access_mode varchar2(9),
        transactional varchar2(1),
        dedup_key varchar2(200 char),
        parameters clob);
    type task_rows is table of task_row index by pls_integer;
    type rows_by_hash is table of pls_integer index by pls_integer;

    -- Makes the row of a task, or refuses it; in_which begins the text of an error. Its process is not looked at.
    procedure make_row (in_task in dbsched.t_task, in_which in varchar2, out_row out task_row) is
        l_now timestamp with time zone := systimestamp at time zone 'UTC';
        l_error number;
        l_problem varchar2(1000);
    begin
        if nvl(length(ltrim(in_task.sql_text, ' ' || chr(9) || chr(10) || chr(13))), 0) = 0 then
            {{.P}}base.fail(20001, in_which || 'in_sql is NULL or empty.');
        end if;

        if in_task.execution_order is null then
            {{.P}}base.fail(20002, in_which || 'in_execution_order is NULL.');
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
                {{.P}}base.fail(20041, in_which || 'in_access says how a task uses its resource, and in_resource is NULL.');
            end if;
            out_row.access_mode := null;
        else
            out_row.resource_id := {{.P}}resource.resource_of(in_task.resource_name);
            if out_row.resource_id is null then
                {{.P}}base.fail(20040, in_which || 'there is no resource "' || substrb(in_task.resource_name, 1, 500) || '"; define_resource makes one.');
            end if;
        end if;

        if in_task.dedup_key is not null and (trim(in_task.dedup_key) is null or length(in_task.dedup_key) > 200) then
            {{.P}}base.fail(20030, in_which || 'in_dedup_key is blank or longer than 200 characters.');
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
        out_row.due_at := case when in_task.not_before > l_now then in_task.not_before at time zone 'UTC' end;
        out_row.sql_text := in_task.sql_text;
        out_row.max_attempts := in_task.max_attempts;
        out_row.retry_delay_seconds := in_task.retry_delay_seconds;
        out_row.timeout_seconds := in_task.timeout_seconds;
        out_row.transactional := case when in_task.transactional then 'Y' else 'N' end;
        out_row.dedup_key := in_task.dedup_key;
        out_row.parameters := in_task.parameters;
    end make_row;

    -- Refuses a process that takes no tasks. Reading waits for nobody: a process that another transaction has not committed does
    -- not exist yet.
    procedure check_process (in_process_id in number, in_which in varchar2) is
        l_status varchar2(10);
        l_closed varchar2(1);
        l_creator varchar2(128);
        l_closing pls_integer;
    begin
        select max(p.status), max(p.close_requested), max(p.created_by) into l_status, l_closed, l_creator
        from {{.P}}processes p
        where p.process_id = in_process_id;

        if l_status is null then
            {{.P}}base.fail(20004, in_which || 'there is no process ' || in_process_id || '.');
        end if;

        -- The default process is everybody's.
        if in_process_id <> 1 then
            {{.P}}rights.require_owner(l_creator, 20006, in_which || 'process ' || in_process_id);
        end if;

        select count(*) into l_closing
        from {{.P}}process_requests r
        where r.process_id = in_process_id and r.action = 'Close';

        if l_status not in ('Open', 'Suspended') or l_closed = 'Y' or l_closing > 0 then
            {{.P}}base.fail(20005, in_which || 'process ' || in_process_id || ' is closed or finished and takes no more tasks.');
        end if;
    end check_process;

    -- The unfinished task of a key, NULL: none that is committed, or the caller's own. Should another transaction have one, both
    -- are stored, and the claim skips one.
    function task_of_key (in_row in task_row, in_submitter in varchar2) return number is
        l_task_id number;
    begin
        -- Users and keys by NLSSORT, see {{.P}}rights, in every session. The first comparison finds what the index has, and in a session
        -- that compares otherwise what looks alike.
        select min(t.task_id) into l_task_id
        from {{.P}}tasks t
        where t.unfinished_key = in_row.dedup_key and nlssort(t.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_row.dedup_key, 'NLS_SORT=BINARY')
          and t.process_id = in_row.process_id
          and nlssort(t.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_submitter, 'NLS_SORT=BINARY');

        return l_task_id;
    end task_of_key;

    function same_key (in_row in task_row, in_other in task_row) return boolean is
    begin
        return in_row.process_id = in_other.process_id and nlssort(in_row.dedup_key, 'NLS_SORT=BINARY') = nlssort(in_other.dedup_key, 'NLS_SORT=BINARY');
    end same_key;

    -- Stores rows that are checked, and wakes the dispatcher, unless they have the keys of others.
    procedure store (io_rows in out nocopy task_rows) is
        l_new task_rows;
        l_seen rows_by_hash;
        l_hash pls_integer;
        l_i pls_integer := io_rows.first;
        l_now timestamp with time zone := systimestamp at time zone 'UTC';
        l_submitter varchar2(128) := {{.P}}rights.submitter;
        l_os_user varchar2(128) := substrb(sys_context('USERENV', 'OS_USER'), 1, 128);
        l_client varchar2(64) := substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64);
    begin
        while l_i is not null loop
            if io_rows(l_i).dedup_key is not null then
                -- By a hash: a text as an index is compared as the session compares.
                l_hash := dbms_utility.get_hash_value(io_rows(l_i).process_id || ':' || io_rows(l_i).dedup_key, 1, 1073741824);
                while l_seen.exists(l_hash) and not same_key(io_rows(l_seen(l_hash)), io_rows(l_i)) loop
                    l_hash := l_hash + 1;
                end loop;

                if l_seen.exists(l_hash) then
                    io_rows(l_i).task_id := io_rows(l_seen(l_hash)).task_id;
                else
                    io_rows(l_i).task_id := task_of_key(io_rows(l_i), l_submitter);
                    l_seen(l_hash) := l_i;
                end if;
            end if;

            if io_rows(l_i).task_id is null then
                -- Not INSERT ... RETURNING: some drivers take the word in the text of a package for a clause of their own.
                io_rows(l_i).task_id := {{.P}}task_seq.nextval;
                l_new(l_new.count + 1) := io_rows(l_i);
            end if;

            l_i := io_rows.next(l_i);
        end loop;

        if l_new.count = 0 then
            return;
        end if;

        -- Before the first write, too: a queue that is stopped must not leave a task behind in the transaction of a caller that
        -- handles the error. Message and task become visible together whatever their order.
        {{.P}}wake.send;

        forall i in 1 .. l_new.count
            insert into {{.P}}tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, sql_text,
                 max_attempts, retry_delay_seconds, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client,
                 resource_id, access_mode, timeout_seconds, transactional, dedup_key, parameters)
            values
                (l_new(i).task_id, l_new(i).process_id, l_new(i).execution_order, l_new(i).priority, l_new(i).expected_seconds,
                 l_new(i).status, l_new(i).wait_reason, l_new(i).due_at, l_new(i).sql_text,
                 l_new(i).max_attempts, l_new(i).retry_delay_seconds, l_new(i).on_orphan, l_now, l_submitter, l_os_user, l_client,
                 l_new(i).resource_id, l_new(i).access_mode, l_new(i).timeout_seconds, l_new(i).transactional, l_new(i).dedup_key, l_new(i).parameters);
    end store;

    procedure add_task (in_task in dbsched.t_task, out_task_id out number) is
        l_row task_row;
        l_rows task_rows;
    begin
        -- All checks come before the first write.
        make_row(in_task, null, l_row);
        l_rows(1) := l_row;
        check_process(l_rows(1).process_id, null);
        store(l_rows);
        out_task_id := l_rows(1).task_id;
    end add_task;

    procedure add_table (in_tasks in dbsched.t_tasks, out_task_ids out dbsched.t_task_ids) is
        l_row task_row;
        l_rows task_rows;
        l_checked number;
        l_i pls_integer := in_tasks.first;
    begin
        while l_i is not null loop
            make_row(in_tasks(l_i), 'task ' || l_i || ': ', l_row);
            l_rows(l_i) := l_row;

            if l_checked is null or l_checked <> l_row.process_id then
                check_process(l_row.process_id, 'task ' || l_i || ': ');
                l_checked := l_row.process_id;
            end if;
            l_i := in_tasks.next(l_i);
        end loop;

        store(l_rows);

        l_i := l_rows.first;
        while l_i is not null loop
            out_task_ids(l_i) := l_rows(l_i).task_id;
            l_i := l_rows.next(l_i);
        end loop;
    end add_table;

    -- The member, which must be of that kind.
    function of_kind (in_kind in varchar2, in_item in {{.P}}json.item) return {{.P}}json.item is
    begin
        if in_item.kind <> in_kind then
            raise value_error;
        end if;
        return in_item;
    end of_kind;

    -- A number, which is what a member must be.
    function whole (in_item in {{.P}}json.item) return number is
        l_number number := case when in_item.kind = 'Number' then {{.P}}json.value_of(in_item.text) end;
    begin
        {{.P}}base.need_whole('it', l_number, -2147483648);
        return l_number;
    end whole;

    -- A text, which is what a member must be. An empty one is blank, but not NULL.
    function text (in_item in {{.P}}json.item, in_length in pls_integer) return varchar2 is
    begin
        if in_item.kind <> 'String' or in_item.long_text is not null or length(in_item.text) > in_length then
            raise value_error;
        end if;
        return nvl(in_item.text, ' ');
    end text;

    -- Puts a member into a task; null is the default. VALUE_ERROR: it has no such member, or the value is none of its type.
    procedure set_member (io_task in out nocopy dbsched.t_task, in_item in {{.P}}json.item) is
    begin
        if in_item.name not in ('sql', 'execution_order', 'process_id', 'priority', 'max_attempts', 'retry_delay_seconds', 'timeout_seconds', 'not_before',
                                'expected_seconds', 'resource', 'access', 'transactional', 'on_orphan', 'dedup_key', 'parameters') or in_item.name is null then
            raise value_error;
        elsif in_item.kind = 'Null' then
            return;
        end if;

        case in_item.name
            when 'sql' then io_task.sql_text := {{.P}}json.text_of(of_kind('String', in_item));
            when 'execution_order' then io_task.execution_order := whole(in_item);
            when 'process_id' then io_task.process_id := whole(in_item);
            when 'priority' then io_task.priority := whole(in_item);
            when 'max_attempts' then io_task.max_attempts := whole(in_item);
            when 'retry_delay_seconds' then io_task.retry_delay_seconds := whole(in_item);
            when 'timeout_seconds' then io_task.timeout_seconds := whole(in_item);
            when 'expected_seconds' then io_task.expected_seconds := whole(in_item);
            when 'not_before' then io_task.not_before := {{.P}}values.instant_of(text(in_item, 40));
            when 'resource' then io_task.resource_name := text(in_item, 128);
            when 'access' then io_task.access_mode := text(in_item, 30);
            when 'transactional' then io_task.transactional := {{.P}}json.text_of(of_kind('Boolean', in_item)) = 'true';
            when 'on_orphan' then io_task.on_orphan := text(in_item, 30);
            when 'dedup_key' then io_task.dedup_key := text(in_item, 4000);
            when 'parameters' then io_task.parameters := {{.P}}json.text_of(of_kind('Object', in_item));
            else raise value_error;
        end case;
    end set_member;

    procedure add_batch (in_tasks in clob, out_task_ids out clob) is
        l_items {{.P}}json.item_list;
        l_members {{.P}}json.item_list;
        l_tasks dbsched.t_tasks;
        l_task dbsched.t_task;
        l_empty dbsched.t_task;
        l_ids dbsched.t_task_ids;
        l_text varchar2(32767);
    begin
        if nvl({{.P}}json.parse(in_tasks, l_items), 'Object') <> 'Array' then
            {{.P}}base.fail(20036, 'in_tasks is no JSON array.');
        end if;

        for i in 1 .. l_items.count loop
            if l_items(i).kind <> 'Object' or {{.P}}json.parse({{.P}}json.text_of(l_items(i)), l_members) is null then
                {{.P}}base.fail(20036, 'task ' || i || ': it is no JSON object.');
            end if;

            l_task := l_empty;
            for m in 1 .. l_members.count loop
                begin
                    set_member(l_task, l_members(m));
                exception
                    when others then
                        {{.P}}base.fail(20036, 'task ' || i || ': "' || substr(l_members(m).name, 1, 100) || '" is none of the parameters of exec_async, or its value is none of its type.');
                end;
            end loop;
            l_tasks(i) := l_task;
        end loop;

        add_table(l_tasks, l_ids);

        for i in 1 .. l_ids.count loop
            l_text := l_text || case when i > 1 then ',' end || l_ids(i);
            if length(l_text) > 30000 then
                out_task_ids := out_task_ids || l_text;
                l_text := null;
            end if;
        end loop;
        out_task_ids := '[' || out_task_ids || l_text || ']';
    end add_batch;
end {{.P}}enqueue;
