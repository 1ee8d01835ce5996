    -- Characters treated as blanks around statements.
    function blanks return varchar2 is
    begin
        return ' ' || chr(9) || chr(10) || chr(13);
    end blanks;

    -- The next word at or after a position, in upper case, after blanks and comments. A label and a parenthesis count as words.
    -- NULL = no word. io_at is set to the position after it.
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

    -- The kind of a text: Query, Block (PL/SQL), Unit (CREATE of stored PL/SQL), Ddl or Other.
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

    -- The text as the server needs it: without SQL*Plus's last line "/", and without ";" unless it is PL/SQL.
    procedure normalize (in_sql in clob, out_text out clob, out_kind out varchar2) is
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
    end normalize;

    -- DBMS_SQL fetches into a buffer for each column, defined in advance. Scalars are converted to text, which works for all of
    -- them; the text is not read. Codes: DBMS_SQL, "Data Type Codes"; 252 is BOOLEAN, since 23ai.
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
                raise_application_error(-20070, 'dbsched 20070: column ' || i || ' of the query has a type that cannot be fetched (code '
                    || l_type || '); write a PL/SQL block.');
            end if;
        end loop;
    end define_columns;
