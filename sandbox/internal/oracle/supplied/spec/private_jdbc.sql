package private_jdbc authid current_user is
    function get_compatible return varchar2;
end;
