package dbms_lob authid current_user is
    function getlength (lob_loc in blob) return integer;
    function getlength (lob_loc in clob) return integer;
    function substr (lob_loc in blob, amount in integer := 32767, offset in integer := 1) return raw;
    function substr (lob_loc in clob, amount in integer := 32767, offset in integer := 1) return varchar2;
end;
