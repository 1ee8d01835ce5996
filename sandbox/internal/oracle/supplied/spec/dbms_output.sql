package dbms_output authid current_user is
    type chararr is table of varchar2(32767) index by binary_integer;

    procedure enable (buffer_size in integer default 20000);
    procedure disable;
    procedure put (a in varchar2);
    procedure put_line (a in varchar2);
    procedure new_line;
    procedure get_line (line out varchar2, status out integer);
    procedure get_lines (lines out chararr, numlines in out integer);
end;
