    -- Binds a value, or only tries to if there is no cursor. Any error means that the value does not match its type.
    procedure bind_one (in_cursor in integer, in_name in varchar2, in_type in varchar2, in_item in {{.P}}json.item) is
        l_number number;
        l_double binary_double;
        l_clob clob;
        l_raw raw(2000);
        l_date date;
        l_timestamp timestamp(9);
        l_instant timestamp(9) with time zone;
    begin
        if in_item.kind <> 'Null' then
            require(in_item.kind = case
                when in_type in ('number', 'integer', 'int') and in_item.kind = 'Boolean' then 'Boolean'
                when in_type in ('number', 'integer', 'int', 'binary_double') then 'Number'
                else 'String'
            end);
        end if;

        if in_type in ('number', 'integer', 'int') then
            l_number := case in_item.kind when 'Boolean' then case in_item.text when 'true' then 1 else 0 end when 'Number' then {{.P}}json.value_of(in_item.text) end;
            require(in_type = 'number' or nvl(l_number, 0) = trunc(nvl(l_number, 0)));
        elsif in_type = 'varchar2' then
            require(in_item.long_text is null and nvl(lengthb(in_item.text), 0) <= 4000);
        elsif in_item.kind = 'Null' then
            null;
        elsif in_type = 'binary_double' then
            l_double := to_binary_double({{.P}}json.value_of(in_item.text));
        elsif in_type = 'clob' then
            l_clob := {{.P}}json.text_of(in_item);
        elsif in_type = 'raw' then
            require(in_item.long_text is null and rtrim(in_item.text, '0123456789abcdefABCDEF') is null and mod(nvl(length(in_item.text), 0), 2) = 0);
            l_raw := hextoraw(in_item.text);
        elsif in_type = 'date' then
            l_timestamp := to_timestamp(instant(case when length(in_item.text) = 10 then in_item.text || 'T00:00:00' else in_item.text end), 'YYYY-MM-DD"T"HH24:MI:SS.FF');
            require(l_timestamp = cast(l_timestamp as timestamp(0)));
            l_date := cast(l_timestamp as date);
        elsif in_type = 'timestamp' then
            l_timestamp := to_timestamp(instant(in_item.text), 'YYYY-MM-DD"T"HH24:MI:SS.FF');
        else
            l_instant := instant_with_zone(in_item.text);
        end if;

        if in_cursor is not null then
            case in_type
                when 'binary_double' then dbms_sql.bind_variable(in_cursor, in_name, l_double);
                when 'varchar2' then dbms_sql.bind_variable(in_cursor, in_name, case when in_item.kind = 'String' then in_item.text end);
                when 'clob' then dbms_sql.bind_variable(in_cursor, in_name, l_clob);
                when 'raw' then dbms_sql.bind_variable_raw(in_cursor, in_name, l_raw);
                when 'date' then dbms_sql.bind_variable(in_cursor, in_name, l_date);
                when 'timestamp' then dbms_sql.bind_variable(in_cursor, in_name, l_timestamp);
                when 'timestampwithtimezone' then dbms_sql.bind_variable(in_cursor, in_name, l_instant);
                else dbms_sql.bind_variable(in_cursor, in_name, l_number);
            end case;
        end if;
    end bind_one;

    procedure check_all (in_parameters in clob, out_error out number, out_problem out varchar2) is
        l_items {{.P}}json.item_list;
        l_seen name_set;
        l_name varchar2(32767);
        l_type varchar2(100);
    begin
        if nvl({{.P}}json.parse(in_parameters, l_items), 'Array') <> 'Object' or l_items.count > 1000 then
            out_error := 20031;
            out_problem := 'in_parameters is not a JSON object, or has more than 1000 members';
            return;
        end if;

        for i in 1 .. l_items.count loop
            classify(l_items(i), l_name, l_type);

            if l_name is null or not is_name(l_name) or l_seen.exists(upper(l_name)) then
                out_error := 20032;
                out_problem := 'is not a valid parameter name, or is used twice. A name is a letter, then letters, digits and _, at most 30 characters, without a colon';
            elsif l_type not in ('number', 'integer', 'int', 'binary_double', 'varchar2', 'clob', 'raw', 'date', 'timestamp', 'timestampwithtimezone') then
                out_error := 20033;
                out_problem := 'has a type that is not supported. Use number, integer, binary_double, varchar2, clob, raw, date, timestamp or timestamp with time zone';
            else
                begin
                    l_seen(upper(l_name)) := 'Y';
                    bind_one(null, l_name, l_type, l_items(i));
                exception
                    when others then
                        out_error := 20034;
                        out_problem := 'needs a single value of type ' || l_type || ', or null';
                end;
            end if;

            if out_error is not null then
                out_problem := '"' || substr(l_items(i).name, 1, 100) || '" ' || out_problem;
                return;
            end if;
        end loop;
    end check_all;

    procedure bind_all (in_cursor in integer, in_parameters in clob) is
        l_items {{.P}}json.item_list;
        l_name varchar2(32767);
        l_type varchar2(100);
    begin
        if {{.P}}json.parse(in_parameters, l_items) = 'Object' then
            for i in 1 .. l_items.count loop
                classify(l_items(i), l_name, l_type);
                bind_one(in_cursor, l_name, l_type, l_items(i));
            end loop;
        end if;
    end bind_all;
