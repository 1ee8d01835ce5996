    -- Executes a text that has been parsed. out_rows: NULL for blocks, and for DDL, which the parse has run already.
    procedure execute_text (in_cursor in integer, in_kind in varchar2, in_parameters in clob, out_rows out number) is
    begin
        if in_kind in ('Ddl', 'Unit') then
            return;
        end if;

        if in_parameters is not null then
            {{.P}}values.bind_all(in_cursor, in_parameters);
        end if;

        if in_kind = 'Query' then
            define_columns(in_cursor);
        end if;
        out_rows := dbms_sql.execute(in_cursor);

        if in_kind = 'Block' then
            out_rows := null;
        elsif in_kind = 'Query' then
            out_rows := 0;
            while dbms_sql.fetch_rows(in_cursor) > 0 loop
                out_rows := out_rows + 1;
            end loop;
        end if;
    end execute_text;
