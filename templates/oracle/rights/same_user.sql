    -- True if two names are the same user's. Not by =, which treats A_B as AB or ab if the caller's session uses such a collation
    -- (NLS_COMP, NLS_SORT; Globalization Support Guide, "Linguistic Sorting and Matching").
    function same_user (in_user in varchar2, in_other in varchar2) return boolean is
    begin
        return nlssort(in_user, 'NLS_SORT=BINARY') = nlssort(in_other, 'NLS_SORT=BINARY');
    end same_user;
