    -- The reading position. The text is read in pieces that fit into a VARCHAR2: reading single characters of a CLOB is slow.
    type reader is record (
        doc clob,
        total number,
        next_at number := 1,
        piece varchar2(32767),
        size_of pls_integer := 0,
        pos pls_integer := 1);

    procedure read_value (io in out nocopy reader, in_depth in pls_integer, io_item in out nocopy item);

    -- Appends to a text. When it no longer fits, the text goes to the CLOB.
    procedure append (io_text in out nocopy varchar2, io_long in out nocopy clob, in_piece in varchar2) is
    begin
        if nvl(lengthb(io_text), 0) + nvl(lengthb(in_piece), 0) > 32767 then
            io_long := io_long || io_text;
            io_text := in_piece;
        else
            io_text := io_text || in_piece;
        end if;
    end append;

    procedure next_piece (io in out nocopy reader) is
        co_amount constant pls_integer := 1000;
        e_boundary exception; pragma exception_init(e_boundary, -22831);
    begin
        -- In a CLOB a supplementary character counts as two (LENGTH2). A piece that ends between the two is an error or has a wrong
        -- last character, so the last character of each piece but the last is left to the next one.
        begin
            io.piece := dbms_lob.substr(io.doc, co_amount, io.next_at);
        exception
            when e_boundary then
                io.piece := dbms_lob.substr(io.doc, co_amount - 1, io.next_at);
        end;

        if io.next_at + co_amount <= io.total then
            io.piece := substr(io.piece, 1, length(io.piece) - 1);
            io.next_at := io.next_at + length2(io.piece);
        else
            io.next_at := io.total + 1;
        end if;

        io.size_of := length(io.piece);
        io.pos := 1;
    end next_piece;

    -- The next character, NULL at the end.
    function peek (io in out nocopy reader) return varchar2 is
    begin
        if io.pos > io.size_of and io.next_at <= io.total then
            next_piece(io);
        end if;
        return substr(io.piece, io.pos, 1);
    end peek;

    -- The position of the next character in the text.
    function place (io in reader) return number is
    begin
        return io.next_at - nvl(length2(substr(io.piece, io.pos)), 0);
    end place;

    procedure skip_blanks (io in out nocopy reader) is
    begin
        while instr(' ' || chr(9) || chr(10) || chr(13), peek(io)) > 0 loop
            io.pos := io.pos + 1;
        end loop;
    end skip_blanks;

    -- Consumes a required character.
    procedure expect (io in out nocopy reader, in_char in varchar2) is
    begin
        if nvl(peek(io), ' ') <> in_char then
            raise value_error;
        end if;
        io.pos := io.pos + 1;
    end expect;

    function hex4 (io in out nocopy reader) return varchar2 is
        l_digits varchar2(4 char);
    begin
        for i in 1 .. 4 loop
            if nvl(instr('0123456789abcdefABCDEF', peek(io)), 0) = 0 then
                raise value_error;
            end if;
            l_digits := l_digits || peek(io);
            io.pos := io.pos + 1;
        end loop;
        return l_digits;
    end hex4;

    -- The character of \uXXXX, or of two of them that form a surrogate pair. The first \u has been consumed.
    function unicode (io in out nocopy reader) return varchar2 is
        l_digits varchar2(20 char) := hex4(io);
        l_code pls_integer := to_number(l_digits, 'XXXX');
    begin
        if l_code between 56320 and 57343 then
            raise value_error;
        elsif l_code between 55296 and 56319 then
            expect(io, '\');
            expect(io, 'u');
            l_digits := l_digits || '\' || hex4(io);
            if to_number(substr(l_digits, 6), 'XXXX') not between 56320 and 57343 then
                raise value_error;
            end if;
        end if;
        return to_char(unistr('\' || l_digits));
    end unicode;

    procedure read_string (io in out nocopy reader, out_text out nocopy varchar2, out_long out nocopy clob) is
        l_quote pls_integer;
        l_slash pls_integer;
        l_end pls_integer;
        l_char varchar2(4 char);
        l_text varchar2(32767);
        l_long clob;
    begin
        expect(io, '"');
        loop
            if peek(io) is null then
                raise value_error;
            end if;

            l_quote := instr(io.piece, '"', io.pos);
            l_slash := instr(io.piece, '\', io.pos);
            l_end := case when l_slash > 0 and (l_quote = 0 or l_slash < l_quote) then l_slash when l_quote > 0 then l_quote else io.size_of + 1 end;
            append(l_text, l_long, substr(io.piece, io.pos, l_end - io.pos));
            io.pos := l_end + 1;

            exit when l_end = l_quote;

            if l_end = l_slash then
                l_char := peek(io);
                io.pos := io.pos + 1;
                l_char := case l_char
                    when '"' then '"'
                    when '\' then '\'
                    when '/' then '/'
                    when 'b' then chr(8)
                    when 'f' then chr(12)
                    when 'n' then chr(10)
                    when 'r' then chr(13)
                    when 't' then chr(9)
                    when 'u' then unicode(io)
                end;
                if l_char is null then
                    raise value_error;
                end if;
                append(l_text, l_long, l_char);
            else
                io.pos := l_end;
            end if;
        end loop;

        if l_long is null then
            out_text := l_text;
        else
            out_long := l_long || l_text;
        end if;
    end read_string;

    -- The members after { or [; those of the first level are kept.
    procedure read_members (io in out nocopy reader, in_depth in pls_integer, io_members in out nocopy item_list) is
        l_close varchar2(1) := case peek(io) when '{' then '}' else ']' end;
        l_member item;
        l_none item;
        l_long clob;
    begin
        if in_depth > 50 then
            raise value_error;
        end if;

        io.pos := io.pos + 1;
        skip_blanks(io);
        if peek(io) = l_close then
            io.pos := io.pos + 1;
            return;
        end if;

        loop
            l_member := l_none;
            if l_close = '}' then
                skip_blanks(io);
                read_string(io, l_member.name, l_long);
                if l_long is not null then
                    raise value_error;
                end if;
                skip_blanks(io);
                expect(io, ':');
            end if;

            skip_blanks(io);
            read_value(io, in_depth, l_member);
            if in_depth = 1 then
                io_members(io_members.count + 1) := l_member;
            end if;

            skip_blanks(io);
            exit when peek(io) = l_close;
            expect(io, ',');
        end loop;
        io.pos := io.pos + 1;
    end read_members;

    procedure read_value (io in out nocopy reader, in_depth in pls_integer, io_item in out nocopy item) is
        l_char varchar2(1 char) := peek(io);
        l_nested item_list;
        l_from number;
    begin
        if l_char = '"' then
            io_item.kind := 'String';
            read_string(io, io_item.text, io_item.long_text);
        elsif l_char in ('{', '[') then
            io_item.kind := case l_char when '{' then 'Object' else 'Array' end;
            l_from := place(io);
            read_members(io, in_depth + 1, l_nested);

            if in_depth = 1 and place(io) - l_from <= 8000 then
                io_item.text := dbms_lob.substr(io.doc, place(io) - l_from, l_from);
            elsif in_depth = 1 then
                io_item.long_text := substr(io.doc, l_from, place(io) - l_from);
            end if;
        else
            while instr('+-.0123456789Eabcdefghijklmnopqrstuvwxyz', peek(io)) > 0 loop
                io_item.text := io_item.text || peek(io);
                io.pos := io.pos + 1;
            end loop;

            io_item.kind := case
                when io_item.text in ('true', 'false') then 'Boolean'
                when io_item.text = 'null' then 'Null'
                when regexp_like(io_item.text, '^-?(0|[123456789][0123456789]*)([.][0123456789]+)?([eE][-+]?[0123456789]+)?$') then 'Number'
            end;
            if io_item.kind is null then
                raise value_error;
            end if;
        end if;
    end read_value;

    function parse (in_json in clob, out_members out item_list) return varchar2 is
        l_reader reader;
        l_kind varchar2(6);
    begin
        l_reader.doc := in_json;
        l_reader.total := nvl(dbms_lob.getlength(in_json), 0);
        skip_blanks(l_reader);
        l_kind := case peek(l_reader) when '{' then 'Object' when '[' then 'Array' end;

        if l_kind is not null then
            read_members(l_reader, 1, out_members);
            skip_blanks(l_reader);
            if peek(l_reader) is not null then
                raise value_error;
            end if;
        end if;

        return l_kind;
    exception
        -- Invalid text also raises this.
        when value_error then
            out_members.delete;
            return null;
    end parse;

    function text_of (in_item in item) return clob is
    begin
        return nvl(in_item.long_text, to_clob(in_item.text));
    end text_of;

    function value_of (in_text in varchar2) return number is
    begin
        return to_number(replace(in_text, '.', substr(to_char(0.5, 'FM0D0'), 2, 1)));
    end value_of;
