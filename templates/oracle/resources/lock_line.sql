    -- Locks a line until the end of the transaction; NULL = the resource was dropped. Every change of a line starts with it,
    -- and each statement after it sees what the last holder has committed.
    function lock_line (in_resource_id in number) return number is
        l_capacity number;
    begin
        select s.capacity into l_capacity
        from {{.P}}resources s
        where s.resource_id = in_resource_id
        for update wait 10;

        return l_capacity;
    exception
        when no_data_found then
            return null;
    end lock_line;

    function resource_of (in_name in varchar2) return number is
        l_resource_id number;
    begin
        select max(s.resource_id) into l_resource_id from {{.P}}resources s where s.name = in_name;
        return l_resource_id;
    end resource_of;
