    -- Owners already visited in the search for a circle of waiting sessions and tasks.
    type t_met is table of pls_integer index by varchar2(64);
