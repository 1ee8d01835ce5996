    procedure run (
        in_worker_id in varchar2,
        in_task_id in number,
        in_attempt in number,
        in_process_id in number,
        in_log_id in number,
        in_sql in clob,
        in_parameters in clob,
        in_transactional in varchar2,
        out_outcome out varchar2,
        out_rows out number,
        out_error_number out number,
        out_error_message out varchar2,
        out_error_backtrace out varchar2,
        out_error_procedure out varchar2,
        out_error_line out number,
        out_renew out varchar2)
    is
        l_cursor integer;
        l_text clob;
        l_kind varchar2(5);
        l_rows number;
        l_transaction varchar2(60);
        l_step varchar2(10) := 'Start';
        l_module varchar2(64);
        l_action varchar2(64);
    begin
        out_renew := 'N';
        out_outcome := 'Failed';

        -- One handler that sees the error first: raising it again would lose the backtrace.
        begin
            -- A session that has run a task has this module.
            dbms_application_info.read_module(l_module, l_action);
            reset_session;
            dbms_application_info.set_module('dbsched', 'P' || in_process_id || ' T' || in_task_id);

            l_step := 'Text';
            normalize(in_sql, l_text, l_kind);
            l_step := 'Start';

            if in_transactional = 'Y' then
                if l_kind in ('Ddl', 'Unit') then
                    out_outcome := 'Final';
                    raise_application_error(-20035, 'dbsched 20035: DDL commits, so it cannot be a transactional task. Enqueue it with in_transactional => false.');
                end if;

                {{.P}}worker.begin_work(in_worker_id, in_log_id);
                l_transaction := dbms_transaction.local_transaction_id;
            end if;

            l_cursor := dbms_sql.open_cursor;
            -- The parse already runs DDL; the execution below would do nothing.
            l_step := case when l_kind in ('Ddl', 'Unit') then 'Run' else 'Parse' end;
            dbms_sql.parse(l_cursor, l_text, dbms_sql.native);
            l_step := 'Run';

            if in_parameters is not null and l_kind in ('Query', 'Block', 'Other') then
                {{.P}}values.bind_all(l_cursor, in_parameters);
            end if;

            if l_kind = 'Query' then
                define_columns(l_cursor);
                l_rows := dbms_sql.execute(l_cursor);
                l_rows := 0;
                while dbms_sql.fetch_rows(l_cursor) > 0 loop
                    l_rows := l_rows + 1;
                end loop;
            elsif l_kind in ('Block', 'Other') then
                l_rows := dbms_sql.execute(l_cursor);
                if l_kind = 'Block' then
                    l_rows := null;
                end if;
            end if;

            if in_transactional = 'Y' then
                if transaction_ended(l_transaction) then
                    out_outcome := 'Final';
                    l_step := 'Ended';
                    raise_application_error(-20035, 'dbsched 20035: a transactional task must neither end nor replace its transaction.');
                end if;

                -- Deferred constraints are checked before the process row is locked.
                execute immediate 'set constraints all immediate';
                l_step := 'Complete';
                {{.P}}worker.complete_within(in_worker_id, in_task_id, in_attempt, l_rows);
                l_step := 'Commit';
            end if;

            -- A failed commit has undone everything, including the completion: the attempt has failed like any other.
            commit write immediate wait;
            out_outcome := case in_transactional when 'Y' then 'Recorded' else 'Succeeded' end;
            out_rows := l_rows;
        exception
            when others then
                out_error_message := substrb(dbms_utility.format_error_stack, 1, 4000);
                out_error_backtrace := substrb(dbms_utility.format_error_backtrace, 1, 4000);
                -- SQLCODE of NO_DATA_FOUND is 100, of a user-defined exception 1.
                out_error_number := case sqlcode when 100 then 1403 when 1 then 6510 else abs(sqlcode) end;

                if (l_step = 'Start' and out_outcome <> 'Final') or not_its_fault(out_error_message, l_module, l_step) then
                    out_outcome := case when l_step in ('Start', 'Parse') or in_transactional = 'Y' then 'Outage' else 'Orphaned' end;
                    out_renew := 'Y';
                elsif l_step = 'Run' and transaction_ended(l_transaction) then
                    out_outcome := 'Final';
                    out_error_number := 20035;
                    out_error_message := substrb('dbsched 20035: a transactional task must neither end nor replace its transaction. It ended with: ' || out_error_message, 1, 4000);
                elsif l_step = 'Complete' then
                    -- Not the task's fault, and nothing of the task remains: handled as if its worker had died.
                    out_outcome := 'Orphaned';
                end if;

                take_back('enable commit in procedure');
                rollback;

                locate(out_error_message, out_error_backtrace, out_error_procedure, out_error_line);

                -- The state of packages was discarded (4061, 4065, 4068, 6508): a new session has new state.
                if out_error_number in (4061, 4065, 4068, 6508) then
                    out_renew := 'Y';
                end if;
        end;

        -- The task has run: later errors must not look like its failure. Code that uses the number of a cursor that is not open locks
        -- DBMS_SQL for the session (ORA-29471), even if the task has handled that error: the next task needs another session.
        begin
            reset_session;
            dbms_session.clear_identifier;
            dbms_application_info.set_module('dbsched', null);
            if l_cursor is not null then
                dbms_sql.close_cursor(l_cursor);
            end if;
            if mod(in_log_id, 64) = 0 and crowded then
                out_renew := 'Y';
            end if;
        exception
            when others then
                out_renew := 'Y';
        end;
    end run;
