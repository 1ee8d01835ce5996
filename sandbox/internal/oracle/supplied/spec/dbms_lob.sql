package dbms_lob authid current_user is
    session constant pls_integer := 10;
    call constant pls_integer := 12;
    lob_readonly constant binary_integer := 0;
    lob_readwrite constant binary_integer := 1;
    lobmaxsize constant integer := 18446744073709551615;
    invalid_argval exception;
    pragma exception_init(invalid_argval, -21560);

    procedure append (dest_lob in out nocopy blob, src_lob in blob);
    procedure append (dest_lob in out nocopy clob, src_lob in clob);
    procedure createtemporary (lob_loc in out nocopy blob, cache in boolean, dur in pls_integer := 10);
    procedure createtemporary (lob_loc in out nocopy clob, cache in boolean, dur in pls_integer := 10);
    procedure freetemporary (lob_loc in out nocopy blob);
    procedure freetemporary (lob_loc in out nocopy clob);
    function getlength (lob_loc in blob) return integer;
    function getlength (lob_loc in clob) return integer;
    function instr (lob_loc in blob, pattern in raw, offset in integer := 1, nth in integer := 1) return integer;
    function instr (lob_loc in clob, pattern in varchar2, offset in integer := 1, nth in integer := 1) return integer;
    function substr (lob_loc in blob, amount in integer := 32767, offset in integer := 1) return raw;
    function substr (lob_loc in clob, amount in integer := 32767, offset in integer := 1) return varchar2;
    procedure writeappend (lob_loc in out nocopy blob, amount in integer, buffer in raw);
    procedure writeappend (lob_loc in out nocopy clob, amount in integer, buffer in varchar2);
end;
