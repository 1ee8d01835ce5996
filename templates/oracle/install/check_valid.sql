declare
    -- CREATE of a unit that does not compile only returns a warning (ORA-24344), which drivers drop, and leaves the unit
    -- invalid. This batch fails the installation instead.
    l_text varchar2(2000);
begin
    for r in (select e.name, e.type, e.line, e.position, e.text
              from user_errors e
              where e.attribute = 'ERROR'
                and e.name in ({{list 31 .UnitNames}})
              order by e.name, e.type, e.sequence)
    loop
        -- In bytes: RAISE_APPLICATION_ERROR takes 2,048, and messages are in the session's language.
        l_text := substrb(l_text || ' ' || r.type || ' ' || r.name || ', line ' || r.line || ', column ' || r.position || ': ' || r.text || ';', 1, 1900);
    end loop;

    if l_text is not null then
        raise_application_error(-20097, 'dbsched 20097: these objects do not compile:' || l_text);
    end if;
end;
