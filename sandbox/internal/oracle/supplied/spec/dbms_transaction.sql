package dbms_transaction authid current_user is
    function local_transaction_id (create_transaction in boolean := false) return varchar2;
end;
