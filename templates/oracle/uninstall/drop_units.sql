begin
    -- Drops dbsched's views and packages. A package's body is dropped with it.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    for r in (select o.object_name, o.object_type
              from user_objects o
              where o.object_type in ('PACKAGE', 'VIEW')
                and o.object_name in ({{list 38 .UnitNames}})
              order by o.object_type desc, o.object_name)
    loop
        execute immediate 'drop ' || lower(r.object_type) || ' ' || r.object_name;
    end loop;
end;
