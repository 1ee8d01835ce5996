begin
    -- Drops dbsched's tables and sequences, including the history and the journal and version of the migrations.
    execute immediate 'alter session set ddl_lock_timeout = 30';

    for r in (select o.object_name, o.object_type
              from user_objects o
              where o.object_type in ('TABLE', 'SEQUENCE')
                and o.object_name in ({{list 38 .TableNames}})
              order by o.object_type, o.object_name)
    loop
        execute immediate 'drop ' || lower(r.object_type) || ' ' || r.object_name || case when r.object_type = 'TABLE' then ' purge' end;
    end loop;
end;
