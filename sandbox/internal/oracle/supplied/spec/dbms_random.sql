package dbms_random authid current_user is
    procedure seed (val in binary_integer);
    procedure seed (val in varchar2);
    function value return number;
    function value (low in number, high in number) return number;
    function normal return number;
    function string (opt in char, len in number) return varchar2;
    procedure initialize (val in binary_integer);
    function random return binary_integer;
    procedure terminate;
end;
