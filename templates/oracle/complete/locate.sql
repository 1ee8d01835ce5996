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
