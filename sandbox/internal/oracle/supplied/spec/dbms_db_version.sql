package dbms_db_version is
    version constant pls_integer := 19;
    release constant pls_integer := 0;
end;
