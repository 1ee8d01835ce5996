package dbms_utility authid current_user is
    function format_error_stack return varchar2;
    function format_error_backtrace return varchar2;
    function get_hash_value (name in varchar2, base in number, hash_size in number) return number;
    function get_time return number;
    procedure name_tokenize (name in varchar2, a out varchar2, b out varchar2, c out varchar2, dblink out varchar2, nextpos out binary_integer);
    procedure get_tz_transitions (regionid in number, transitions out raw);
    function is_cluster_database return boolean;
    function current_instance return number;
    procedure db_version (version out varchar2, compatibility out varchar2);
end;
