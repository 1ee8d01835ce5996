    -- Returns the member if it has the given kind; raises an error otherwise.
    function of_kind (in_kind in varchar2, in_item in {{.P}}json.item) return {{.P}}json.item is
    begin
        if in_item.kind <> in_kind then
            raise value_error;
        end if;
        return in_item;
    end of_kind;

    -- Returns the number in a member.
    function whole (in_item in {{.P}}json.item) return number is
        l_number number := case when in_item.kind = 'Number' then {{.P}}json.value_of(in_item.text) end;
    begin
        {{.P}}base.need_whole('it', l_number, -2147483648);
        return l_number;
    end whole;

    -- Returns the text in a member. An empty text is blank, but not NULL.
    function text (in_item in {{.P}}json.item, in_length in pls_integer) return varchar2 is
    begin
        if in_item.kind <> 'String' or in_item.long_text is not null or length(in_item.text) > in_length then
            raise value_error;
        end if;
        return nvl(in_item.text, ' ');
    end text;

    -- Sets a task's field from a member; null means the default. VALUE_ERROR: the field does not exist, or the value has the wrong type.
    procedure set_member (io_task in out nocopy dbsched.t_task, in_item in {{.P}}json.item) is
    begin
        if in_item.name not in ('sql', 'execution_order', 'process_id', 'priority', 'max_attempts', 'retry_delay_seconds', 'timeout_seconds', 'not_before',
                                'expected_seconds', 'resource', 'access', 'transactional', 'on_orphan', 'dedup_key', 'parameters', 'name') or in_item.name is null then
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
            when 'name' then io_task.name := text(in_item, 4000);
            when 'parameters' then io_task.parameters := {{.P}}json.text_of(of_kind('Object', in_item));
            else raise value_error;
        end case;
    end set_member;

    procedure add_batch (in_tasks in clob, in_process_id in number, out_task_ids out clob) is
        l_items {{.P}}json.item_list;
        l_members {{.P}}json.item_list;
        l_tasks dbsched.t_tasks;
        l_task dbsched.t_task;
        l_empty dbsched.t_task;
        l_ids dbsched.t_task_ids;
        l_text varchar2(32767);
    begin
        if nvl({{.P}}json.parse(in_tasks, l_items), 'Object') <> 'Array' then
            {{.P}}base.fail(20036, 'in_tasks is not a JSON array.');
        end if;

        for i in 1 .. l_items.count loop
            if l_items(i).kind <> 'Object' or {{.P}}json.parse({{.P}}json.text_of(l_items(i)), l_members) is null then
                {{.P}}base.fail(20036, 'task ' || i || ': it is not a JSON object.');
            end if;

            l_task := l_empty;
            l_task.process_id := in_process_id;
            for m in 1 .. l_members.count loop
                if in_process_id is not null and l_members(m).name in ('process_id', 'not_before') and l_members(m).kind <> 'Null' then
                    {{.P}}base.fail(20076, 'task ' || i || ': tasks of a schedule have no process_id and no not_before: each firing is a process of its own.');
                end if;
                begin
                    set_member(l_task, l_members(m));
                exception
                    when others then
                        {{.P}}base.fail(20036, 'task ' || i || ': "' || substr(l_members(m).name, 1, 100) || '" is not a parameter of exec_async, or its value has the wrong type.');
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
