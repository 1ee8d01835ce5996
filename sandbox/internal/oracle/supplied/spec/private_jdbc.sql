package private_jdbc authid current_user is
    function get_compatible return varchar2; function get_max_string_size return varchar2;
end;
