    -- Resets the session, and says whether it can run another task. The task has run: errors here must not look like its failure. Code that
    -- uses the number of a cursor that is not open locks DBMS_SQL for the session (ORA-29471), even if the task has handled that error.
    procedure clean_up (io_cursor in out integer, in_log_id in number, io_renew in out varchar2) is
    begin
        reset_session;
        dbms_session.clear_identifier;
        dbms_application_info.set_module('dbsched', null);
        if io_cursor is not null then
            dbms_sql.close_cursor(io_cursor);
        end if;
        if mod(in_log_id, 64) = 0 and crowded then
            io_renew := 'Y';
        end if;
    exception
        when others then
            io_renew := 'Y';
    end clean_up;

    procedure run (
        in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_sql in clob, in_parameters in clob, in_transactional in varchar2,
        out_outcome out varchar2, out_rows out number, out_error_number out number, out_error_message out varchar2,
        out_error_backtrace out varchar2, out_renew out varchar2)
    is
        l_step varchar2(10) := 'Start';
        l_transaction varchar2(60);
        l_text clob;
        l_kind varchar2(5);
        l_cursor integer;
        l_rows number;
        l_module varchar2(64);
        l_action varchar2(64);
    begin
        out_renew := 'N';

        -- One handler that sees the error first: raising it again would lose the backtrace.
        begin
            -- A session that has run a task has this module; the claim has set the action.
            dbms_application_info.read_module(l_module, l_action);
            reset_session;
            dbms_application_info.set_module('dbsched', l_action);

            l_step := 'Text';
            normalize(in_sql, l_text, l_kind);
            l_step := 'Start';

            if in_transactional = 'Y' then
                if l_kind in ('Ddl', 'Unit') then
                    l_step := 'Refuse';
                    raise_application_error(-20035, 'dbsched 20035: DDL commits, so it cannot be a transactional task.'
                        || ' Enqueue it with in_transactional => false.');
                end if;

                {{.P}}worker.begin_work(in_worker_id, in_log_id);
                l_transaction := dbms_transaction.local_transaction_id;
            end if;

            l_cursor := dbms_sql.open_cursor;
            -- The parse already runs DDL.
            l_step := case when l_kind in ('Ddl', 'Unit') then 'Run' else 'Parse' end;
            dbms_sql.parse(l_cursor, l_text, dbms_sql.native);
            l_step := 'Run';
            execute_text(l_cursor, l_kind, in_parameters, l_rows);

            if in_transactional = 'Y' then
                if transaction_ended(l_transaction) then
                    l_step := 'Refuse';
                    raise_application_error(-20035, 'dbsched 20035: a transactional task must neither end nor replace its transaction.');
                end if;

                -- Deferred constraints are checked before the process row is locked.
                execute immediate 'set constraints all immediate';
                l_step := 'Complete';
                {{.P}}worker.complete_within(in_worker_id, in_task_id, in_log_id, l_rows);
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
                judge_error(l_step, in_transactional, l_transaction, l_module, out_error_number, out_error_message, out_outcome, out_renew);
                take_back('enable commit in procedure');
                rollback;
        end;

        clean_up(l_cursor, in_log_id, out_renew);
    end run;
