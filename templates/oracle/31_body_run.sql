create or replace package body {{.P}}run as
    -- Blanks around statements.
    function blanks return varchar2 is
    begin
        return ' ' || chr(9) || chr(10) || chr(13);
    end blanks;

    -- The next word at or after a position, in upper case, behind blanks and comments. A label and a parenthesis count as
    -- words; NULL: no word. io_at is left behind it.
    procedure next_word (in_text in clob, io_at in out pls_integer, out_word out varchar2) is
        l_char varchar2(1 char);
    begin
        loop
            l_char := substr(in_text, io_at, 1);

            if l_char is null then
                return;
            elsif instr(blanks, l_char) > 0 then
                io_at := io_at + 1;
            elsif substr(in_text, io_at, 2) = '--' then
                io_at := instr(in_text, chr(10), io_at);
                if io_at = 0 then
                    return;
                end if;
            elsif substr(in_text, io_at, 2) = '/*' then
                io_at := instr(in_text, '*/', io_at + 2);
                if io_at = 0 then
                    return;
                end if;
                io_at := io_at + 2;
            else
                exit;
            end if;
        end loop;

        if l_char in ('(', '<') then
            io_at := io_at + 1;
            out_word := l_char;
            return;
        end if;

        loop
            l_char := upper(substr(in_text, io_at, 1));
            exit when l_char is null or instr('ABCDEFGHIJKLMNOPQRSTUVWXYZ_', l_char) = 0 or length(out_word) >= 30;
            out_word := out_word || l_char;
            io_at := io_at + 1;
        end loop;
    end next_word;

    -- What kind of text it is: Query, Block (PL/SQL), Unit (CREATE of stored PL/SQL), Ddl or Other.
    function kind_of (in_text in clob) return varchar2 is
        l_at pls_integer := 1;
        l_word varchar2(30 char);
    begin
        next_word(in_text, l_at, l_word);

        if l_word in ('SELECT', 'WITH', '(') then
            return 'Query';
        elsif l_word in ('BEGIN', 'DECLARE', '<') then
            return 'Block';
        elsif l_word = 'CREATE' then
            for i in 1 .. 4 loop
                next_word(in_text, l_at, l_word);
                if l_word in ('PROCEDURE', 'FUNCTION', 'PACKAGE', 'TRIGGER', 'TYPE', 'LIBRARY') then
                    return 'Unit';
                end if;
                exit when l_word is null or l_word not in ('OR', 'REPLACE', 'EDITIONABLE', 'NONEDITIONABLE');
            end loop;
            return 'Ddl';
        elsif l_word = 'ALTER' then
            next_word(in_text, l_at, l_word);
            return case when l_word in ('SESSION', 'SYSTEM') then 'Other' else 'Ddl' end;
        elsif l_word in ('DROP', 'TRUNCATE', 'GRANT', 'REVOKE', 'COMMENT', 'RENAME', 'ANALYZE', 'AUDIT', 'NOAUDIT', 'PURGE', 'FLASHBACK') then
            return 'Ddl';
        end if;

        return 'Other';
    end kind_of;

    -- The text as the server wants it: without SQL*Plus's last line "/", and without ";" unless it is PL/SQL.
    procedure normalise (in_sql in clob, out_text out clob, out_kind out varchar2) is
        l_length pls_integer;
        l_head clob;
    begin
        out_text := rtrim(in_sql, blanks);
        l_length := length(out_text);

        if l_length > 1 and substr(out_text, l_length, 1) = '/' then
            l_head := rtrim(substr(out_text, 1, l_length - 1), ' ' || chr(9));
            if substr(l_head, length(l_head), 1) in (chr(10), chr(13)) then
                out_text := rtrim(l_head, blanks);
            end if;
        end if;

        out_kind := kind_of(out_text);

        if out_kind in ('Query', 'Ddl', 'Other') then
            out_text := rtrim(out_text, blanks || ';');
        end if;
    end normalise;

    -- DBMS_SQL fetches into buffers that are defined before, one for each column. Scalars are converted to text, which any of them
    -- can be; nobody reads it. Codes: DBMS_SQL, "Data Type Codes"; 252 is BOOLEAN, since 23ai.
    procedure define_columns (in_cursor in integer) is
        l_columns dbms_sql.desc_tab3;
        l_count integer;
        l_type pls_integer;
        l_text varchar2(32767);
        l_raw raw(32767);
        l_clob clob;
        l_blob blob;
    begin
        dbms_sql.describe_columns3(in_cursor, l_count, l_columns);

        for i in 1 .. l_count loop
            l_type := l_columns(i).col_type;

            if l_type in (1, 2, 11, 12, 96, 100, 101, 180, 181, 182, 183, 208, 231, 252) then
                dbms_sql.define_column(in_cursor, i, l_text, 32767);
            elsif l_type = 23 then
                dbms_sql.define_column_raw(in_cursor, i, l_raw, 32767);
            elsif l_type = 112 then
                dbms_sql.define_column(in_cursor, i, l_clob);
            elsif l_type = 113 then
                dbms_sql.define_column(in_cursor, i, l_blob);
            elsif l_type = 8 then
                dbms_sql.define_column_long(in_cursor, i);
            else
                raise_application_error(-20070, 'dbsched 20070: column ' || i || ' of the query is of a type that cannot be fetched (code '
                    || l_type || '); write a PL/SQL block.');
            end if;
        end loop;
    end define_columns;

    -- The same session for every task, whoever ran before it and whoever made the job (jobs keep their creator's NLS
    -- environment). The leftovers of the task before are rolled back.
    procedure reset_session is
    begin
        rollback;
        execute immediate 'alter session set current_schema = ' || dbms_assert.enquote_name(sys_context('USERENV', 'SESSION_USER'), false);
        execute immediate 'alter session set isolation_level = read committed';
        execute immediate 'alter session set time_zone = ''+00:00''';
        -- Language and territory first: they set the others.
        execute immediate 'alter session set nls_language = ''AMERICAN''';
        execute immediate 'alter session set nls_territory = ''AMERICA''';
        execute immediate 'alter session set nls_calendar = ''GREGORIAN''';
        execute immediate 'alter session set nls_sort = ''BINARY''';
        execute immediate 'alter session set nls_comp = ''BINARY''';
        execute immediate 'alter session set nls_numeric_characters = ''.,''';
        execute immediate 'alter session set nls_date_format = ''YYYY-MM-DD HH24:MI:SS''';
        execute immediate 'alter session set nls_timestamp_format = ''YYYY-MM-DD HH24:MI:SS.FF''';
        execute immediate 'alter session set nls_timestamp_tz_format = ''YYYY-MM-DD HH24:MI:SS.FF TZH:TZM''';
        execute immediate 'alter session set nls_length_semantics = ''BYTE''';
        execute immediate 'alter session set nls_nchar_conv_excp = ''FALSE''';
        execute immediate 'alter session set ddl_lock_timeout = 0';
        dbms_application_info.set_client_info(null);
    end reset_session;

    -- Unit and line of an error. The backtrace begins with the innermost unit; when that is DBMS_SQL the statement itself is at
    -- fault, and the stack tells the line if PL/SQL could not be compiled (ORA-06550: line n, column m).
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
        -- A backtrace of another form: number and texts are there all the same.
        when value_error then
            out_procedure := null;
            out_line := null;
    end locate;

    function transaction_ended (in_transaction in varchar2) return boolean is
    begin
        return nvl(dbms_transaction.local_transaction_id, 'none') <> in_transaction;
    end transaction_ended;

    procedure run (
        in_lane_id in number,
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
    begin
        out_renew := 'N';
        out_outcome := 'Failed';

        -- One handler, which is the first to see the error: raising it again would lose the backtrace.
        begin
            reset_session;
            dbms_application_info.set_module('dbsched', 'P' || in_process_id || ' T' || in_task_id);

            normalise(in_sql, l_text, l_kind);

            if in_transactional = 'Y' then
                if l_kind in ('Ddl', 'Unit') then
                    out_outcome := 'Final';
                    raise_application_error(-20035, 'dbsched 20035: DDL commits, so it cannot be a transactional task.');
                end if;

                {{.P}}worker.begin_work(in_worker_id, in_log_id);
                l_transaction := dbms_transaction.local_transaction_id;
                l_step := 'Run';
            end if;

            l_cursor := dbms_sql.open_cursor;
            -- DDL runs here and now; what follows would be nothing.
            dbms_sql.parse(l_cursor, l_text, dbms_sql.native);

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

                -- What is deferred to the commit is checked before the process row is locked.
                execute immediate 'set constraints all immediate';
                l_step := 'Complete';
                {{.P}}worker.complete_within(in_lane_id, in_worker_id, in_task_id, in_attempt, in_process_id, in_log_id, l_rows);
                l_step := 'Commit';
            end if;

            -- A commit that fails has undone everything, the completion as well: the attempt has failed like any other.
            commit write immediate wait;
            out_outcome := case in_transactional when 'Y' then 'Recorded' else 'Succeeded' end;
            out_rows := l_rows;
        exception
            when others then
                out_error_message := substrb(dbms_utility.format_error_stack, 1, 4000);
                out_error_backtrace := substrb(dbms_utility.format_error_backtrace, 1, 4000);
                -- SQLCODE of NO_DATA_FOUND is 100, of a user-defined exception 1.
                out_error_number := case sqlcode when 100 then 1403 when 1 then 6510 else abs(sqlcode) end;

                if l_step = 'Run' and transaction_ended(l_transaction) then
                    out_outcome := 'Final';
                    out_error_number := 20035;
                    out_error_message := substrb('dbsched 20035: a transactional task must neither end nor replace its transaction. It ended with: ' || out_error_message, 1, 4000);
                elsif l_step = 'Complete' then
                    -- No fault of the task, which leaves no trace: as if its worker had died.
                    out_outcome := 'Orphaned';
                end if;

                rollback;

                locate(out_error_message, out_error_backtrace, out_error_procedure, out_error_line);

                -- The state of packages was discarded (4061, 4065, 4068, 6508): a new session has a new one.
                if out_error_number in (4061, 4065, 4068, 6508) then
                    out_renew := 'Y';
                end if;
        end;

        -- The task has run: nothing after it may look like its failure. Whoever uses the number of a cursor that is not open shuts
        -- DBMS_SQL for the session (ORA-29471), whether or not the task has handled that: the next task needs another session.
        begin
            reset_session;
            dbms_session.clear_identifier;
            dbms_application_info.set_module('dbsched', null);
            if l_cursor is not null then
                dbms_sql.close_cursor(l_cursor);
            end if;
        exception
            when others then
                out_renew := 'Y';
        end;
    end run;
end {{.P}}run;
