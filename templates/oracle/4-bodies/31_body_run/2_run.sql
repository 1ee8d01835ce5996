    -- Takes a setting back that a task may have made. Releases before 21c do not know READ_ONLY.
    procedure take_back (in_setting in varchar2) is
    begin
        execute immediate 'alter session ' || in_setting;
    exception
        when others then
            null;
    end take_back;

    -- The same session state for every task, independent of earlier tasks and of the job's creator (a job keeps its creator's NLS
    -- environment). Leftovers of the previous task are rolled back.
    procedure reset_session is
    begin
        -- Each would keep dbsched from recording how the task ended (ORA-00034, ORA-28193, ORA-12838).
        take_back('enable commit in procedure');
        rollback;
        take_back('set read_only = false');
        take_back('disable parallel dml');
        -- Each would change what later tasks do.
        take_back('enable parallel query');
        take_back('enable parallel ddl');
        take_back('set constraints = default');
        take_back('set row archival visibility = active');
        take_back('set error_on_overlap_time = false');
        -- Since 23ai. A low one would let other transactions roll back our claims (ORA-63300).
        take_back('set txn_priority = high');
        execute immediate 'alter session set current_schema = ' || dbms_assert.enquote_name(sys_context('USERENV', 'SESSION_USER'), false);
        execute immediate 'alter session set isolation_level = read committed';
        execute immediate 'alter session set time_zone = ''+00:00''';
        -- Language and territory first: they set the other parameters.
        execute immediate 'alter session set nls_language = ''AMERICAN''';
        execute immediate 'alter session set nls_territory = ''AMERICA''';
        execute immediate 'alter session set nls_calendar = ''GREGORIAN'' nls_sort = ''BINARY'' nls_comp = ''BINARY'' nls_numeric_characters = ''.,'''
            || ' nls_date_format = ''YYYY-MM-DD HH24:MI:SS'' nls_timestamp_format = ''YYYY-MM-DD HH24:MI:SS.FF'''
            || ' nls_timestamp_tz_format = ''YYYY-MM-DD HH24:MI:SS.FF TZH:TZM'' nls_length_semantics = ''BYTE'' nls_nchar_conv_excp = ''FALSE'''
            || ' ddl_lock_timeout = 0';
        -- Nobody would read what tasks print once one of them has called ENABLE: the buffer would fill up (ORU-10027).
        dbms_output.disable;
        dbms_application_info.set_client_info(null);
    end reset_session;

    -- Whether packages hold more than 64 MB of what tasks left in them, which only the end of the session frees. Needs no grant, unlike
    -- V$MYSTAT.
    function crowded return boolean is
        l_owners dbms_session.lname_array;
        l_units dbms_session.lname_array;
        l_types dbms_session.integer_array;
        l_used dbms_session.integer_array;
        l_free dbms_session.integer_array;
        l_bytes number := 0;
    begin
        dbms_session.get_package_memory_utilization(l_owners, l_units, l_types, l_used, l_free);
        for i in nvl(l_used.first, 1) .. nvl(l_used.last, 0) loop
            l_bytes := l_bytes + l_used(i) + l_free(i);
        end loop;
        return l_bytes > 64 * 1024 * 1024;
    end crowded;

    -- Unit and line of an error. The backtrace begins with the innermost unit. If that is DBMS_SQL, the statement itself failed, and
    -- the stack names the line if PL/SQL could not be compiled (ORA-06550: line n, column m).
    procedure locate (in_stack in varchar2, in_backtrace in varchar2, out_procedure out varchar2, out_line out number) is
        l_first varchar2(2000);
        l_from pls_integer;
        l_to pls_integer;
    begin
        l_first := rtrim(substr(in_backtrace, 1, instr(in_backtrace || chr(10), chr(10)) - 1), ' ' || chr(13));

        if l_first is null or instr(l_first, '"SYS.DBMS_SQL"') > 0 or instr(l_first, '.{{.PU}}RUN"') > 0 then
            l_from := instr(in_stack, 'ORA-06550: line ');
            if l_from > 0 then
                l_from := l_from + length('ORA-06550: line ');
                l_to := instr(in_stack, ',', l_from);
                out_line := to_number(substr(in_stack, l_from, l_to - l_from));
            end if;
            return;
        end if;

        l_from := instr(l_first, '"');
        l_to := instr(l_first, '"', -1);
        if l_to > l_from then
            out_procedure := substrb(substr(l_first, l_from + 1, l_to - l_from - 1), 1, 300);
        end if;

        l_from := instr(l_first, 'line ', -1);
        if l_from > 0 then
            out_line := to_number(substr(l_first, l_from + 5));
        end if;
    exception
        -- A backtrace of another form: number and texts are still recorded.
        when value_error then
            out_procedure := null;
            out_line := null;
    end locate;

    function transaction_ended (in_transaction in varchar2) return boolean is
    begin
        return nvl(dbms_transaction.local_transaction_id, 'none') <> in_transaction;
    end transaction_ended;

    -- Whether the server, not the task, caused an error. 63300 and 63302: rolled back for a transaction of higher priority. 2020: too many
    -- database links are open, those of earlier tasks too, unless this task is the first of its session: in_module. Before the first statement
    -- also no free session or process, a start or shutdown of the database, no memory (Error Help).
    function not_its_fault (in_stack in varchar2, in_module in varchar2, in_step in varchar2) return boolean is
    begin
        return regexp_like(in_stack, 'ORA-6330(0|2)') or (instr(in_stack, 'ORA-02020') > 0 and in_module = 'dbsched')
            or (in_step = 'Parse' and regexp_like(in_stack, 'ORA-(00018|00020|01033|01089|04030|04031)'));
    end not_its_fault;

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
            normalise(in_sql, l_text, l_kind);
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
end {{.P}}run;
