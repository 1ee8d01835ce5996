package dbms_session authid current_user is
    free_all_resources constant pls_integer := 1;
    reinitialize constant pls_integer := 2;

    procedure set_identifier (client_id in varchar2);
    procedure clear_identifier;
    procedure set_nls (param in varchar2, value in varchar2);
    function unique_session_id return varchar2;
    function is_session_alive (uniqueid in varchar2) return boolean;
    procedure sleep (seconds in number);
    procedure reset_package;
    procedure modify_package_state (action_flags in pls_integer);
    procedure free_unused_user_memory;
    type integer_array is table of binary_integer index by binary_integer;
    type lname_array is table of varchar2(4000) index by binary_integer;
    procedure get_package_memory_utilization (
        owner_array out lname_array, unit_array out lname_array, type_array out integer_array, used_array out integer_array, free_array out integer_array);
end;
