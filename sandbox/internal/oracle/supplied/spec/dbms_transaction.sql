package dbms_transaction authid current_user is
    function local_transaction_id (create_transaction in boolean := false) return varchar2;
    procedure commit;
    procedure rollback;
    procedure savepoint (savept in varchar2);
    procedure rollback_savepoint (savept in varchar2);
end;
