declare
    -- Checks that nothing of dbsched is left.
    l_name varchar2(128);
begin
    select min(o.object_name) into l_name
    from user_objects o
    where o.object_name in ({{list 28 .ObjectNames}})
       or regexp_like(o.object_name, '^{{.PU}}LANE_[0-9][0-9]$');

    if l_name is not null then
        raise_application_error(-20096, 'dbsched 20096: ' || l_name || ' could not be removed. Uninstall again.');
    end if;
end;
