    -- Stores checked rows, except those with the key of an existing task, and wakes the dispatcher.
    procedure store (io_rows in out nocopy task_rows) is
        l_new task_rows;
        l_seen rows_by_hash;
        l_hash pls_integer;
        l_i pls_integer := io_rows.first;
        l_now timestamp with time zone := systimestamp at time zone '+00:00';
        l_submitter varchar2(140) := {{.P}}rights.submitter;
        l_limit number;
        l_timeout number;
        l_user_tasks number;
        l_os_user varchar2(128) := substrb(sys_context('USERENV', 'OS_USER'), 1, 128);
        l_client varchar2(64) := substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64);
    begin
        while l_i is not null loop
            if io_rows(l_i).dedup_key is not null then
                -- By a hash: a text as an index is compared with the session's collation.
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
                -- Not INSERT ... RETURNING: some drivers take this word in a package's text for a clause of their own.
                io_rows(l_i).task_id := {{.P}}task_seq.nextval;
                l_new(l_new.count + 1) := io_rows(l_i);
            end if;

            l_i := io_rows.next(l_i);
        end loop;

        if l_new.count = 0 then
            return;
        end if;

        -- MAX: without the row, there are no limits.
        select nullif(max(s.max_tasks_per_user), 0), nullif(max(s.default_timeout_seconds), 0) into l_limit, l_timeout
        from {{.P}}settings s
        where s.settings_id = 1;
{{- if .Runner}}
        if l_limit is not null and {{.P}}rights.administrator = 'N' then
            l_user_tasks := count_tasks(l_submitter, l_limit, l_new.count);
        end if;
{{- end}}

        -- Before the first write: a stopped queue must not leave a task behind in the transaction of a caller that handles the error.
        -- Message and task become visible together in either order.
        wake(l_new);

        forall i in 1 .. l_new.count
            insert into {{.P}}tasks
                (task_id, process_id, execution_order, priority, expected_seconds, status, wait_reason, due_at, name, sql_text,
                 max_attempts, retry_delay_seconds, on_orphan, enqueued_at, enqueued_by, enqueued_by_os_user, enqueued_by_client,
                 resource_id, access_mode, timeout_seconds, transactional, dedup_key, parameters, user_tasks)
            values
                (l_new(i).task_id, l_new(i).process_id, l_new(i).execution_order, l_new(i).priority, l_new(i).expected_seconds,
                 l_new(i).status, l_new(i).wait_reason, l_new(i).due_at, l_new(i).name, l_new(i).sql_text,
                 l_new(i).max_attempts, l_new(i).retry_delay_seconds, l_new(i).on_orphan, l_now, l_submitter, l_os_user, l_client,
                 l_new(i).resource_id, l_new(i).access_mode, nvl(l_new(i).timeout_seconds, l_timeout), l_new(i).transactional, l_new(i).dedup_key,
                 l_new(i).parameters, l_user_tasks);
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
