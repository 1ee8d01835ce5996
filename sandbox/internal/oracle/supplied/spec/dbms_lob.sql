package dbms_lob authid current_user is
    session constant pls_integer := 10;
    call constant pls_integer := 12;
    lob_readonly constant binary_integer := 0;
    lob_readwrite constant binary_integer := 1;
    lobmaxsize constant integer := 18446744073709551615;
    invalid_argval exception;
    pragma exception_init(invalid_argval, -21560);

    function getlength (lob_loc in blob) return integer;
    function getlength (lob_loc in clob) return integer;
    function substr (lob_loc in blob, amount in integer := 32767, offset in integer := 1) return raw;
    function substr (lob_loc in clob, amount in integer := 32767, offset in integer := 1) return varchar2;
end;
