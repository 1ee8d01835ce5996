package certify

// oracleInTheWay lists what prevents a run. What was dropped may stay in the recycle bin.
const oracleInTheWay = `select case max(case o.object_name when 'CERTIFY_MARK' then 1 else 0 end)
           when 1 then 'Another certify is running in this schema, or one was killed. To remove what that left, run: dbsched certify --clean'
           else 'certify needs an empty schema, and this one holds ' || count(*) || ' objects, for example ' || min(o.object_name) || '. Connect as another user' end
from user_objects o
where o.object_type not in ('LOB', 'INDEX') and o.object_name not like 'BIN$%'
having count(*) > 0
union all
select 'This database is a ' || lower(sys_context('USERENV', 'DATABASE_ROLE')) || ', and dbsched is not for a standby. Connect to the primary database'
from dual
where sys_context('USERENV', 'DATABASE_ROLE') <> 'PRIMARY'
union all
select 'This is the root container. Connect to a pluggable database'
from dual
where sys_context('USERENV', 'CON_NAME') = 'CDB$ROOT'
union all
select 'The scheduler of the database is switched off, and no job runs. Have a DBA run: '
    || 'begin dbms_scheduler.set_scheduler_attribute(''SCHEDULER_DISABLED'', ''FALSE''); end;'
from all_scheduler_global_attribute a
where a.attribute_name = 'SCHEDULER_DISABLED' and a.value = 'TRUE'`

// oracleOurs holds for the names that dbsched and the probes use. The user may have made others since a run was killed.
const oracleOurs = `(l.name like 'CERTIFY\_%' escape '\' or l.name like 'DS\_%' escape '\' or l.name = 'DBSCHED')`

// oracleMadeUsers are users that invasive probes have made since the run began: their names have the number of its mark.
const oracleMadeUsers = `select u.username as name
    from user_objects m
    inner join all_users u
    on u.username in ('` + oracleUsers + `' || m.object_id || '_NAMESAKE', '` + oracleUsers + `' || m.object_id || '_INVOKER') and u.created >= m.created
    where m.object_name = 'CERTIFY_MARK' and m.object_type = 'TABLE'`

// oracleKinds are the objects that are dropped by their name. A queue table's own objects (AQ$...) go with it, and so do the sequences of identity
// columns (ISEQ$$...), and a body with its package or type.
const oracleKinds = `('TABLE', 'PACKAGE', 'PROCEDURE', 'FUNCTION', 'VIEW', 'SEQUENCE', 'TYPE', 'TRIGGER', 'SYNONYM')`

// oracleOthers counts what is there beside the mark.
const oracleOthers = `select count(*) into l_others
    from (select o.object_name as name from user_objects o where (o.object_type in ` + oracleKinds + ` or o.object_type = 'JOB') and o.object_name <> 'CERTIFY_MARK'
          union all
          ` + oracleMadeUsers + `) l
    where ` + oracleOurs + `;`

// oracleLeft lists what is there while CERTIFY_MARK is: without it, nothing in the schema is certify's. The mark goes when nothing else is left.
// Jobs come first, as they make and hold other things; with force they end at once, which needs MANAGE SCHEDULER.
var oracleLeft = `with l as (
    select 1 as step, 'job' as kind, j.job_name as name, 'begin
    dbms_scheduler.disable(''"' || j.job_name || '"'', force => true);
    begin
        dbms_scheduler.stop_job(''"' || j.job_name || '"'', force => true);
    exception
        when others then
            begin
                dbms_scheduler.stop_job(''"' || j.job_name || '"'');
            exception
                when others then null;
            end;
    end;
    dbms_scheduler.drop_job(''"' || j.job_name || '"'', force => true);
end;' as text
    from user_scheduler_jobs j
    union all
    select 2, 'queue table', t.queue_table, 'begin dbms_aqadm.drop_queue_table(queue_table => ''' || t.queue_table || ''', force => true); end;'
    from user_queue_tables t
    union all
    select decode(o.object_type, 'TRIGGER', 3, 'SYNONYM', 3, 'VIEW', 4, 'TABLE', 6, 'SEQUENCE', 6, 'TYPE', 7, 5), lower(o.object_type), o.object_name,
        'begin
    execute immediate ''alter session set ddl_lock_timeout = 10'';
    execute immediate ''drop ' || lower(o.object_type) || ' "' || o.object_name || '"'
            || case o.object_type when 'TABLE' then ' cascade constraints purge' when 'TYPE' then ' force' end || ''';
end;'
    from user_objects o
    where o.object_type in ` + oracleKinds + `
      and o.object_name <> 'CERTIFY_MARK'
      and not exists (select 1 from user_queue_tables q where q.queue_table = o.object_name)
    union all
    select 8, 'user', u.name, 'begin
    for j in (select a.owner || ''.'' || a.job_name as name from all_scheduler_jobs a where a.owner = ''' || u.name || ''') loop
        dbms_scheduler.drop_job(j.name, force => true);
    end loop;
    execute immediate ''drop user "' || u.name || '" cascade'';
end;'
    from (` + oracleMadeUsers + `) u
)
select r.kind, r.name, r.text
from (
    select l.step, l.kind, l.name, l.text
    from l
    where ` + oracleOurs + ` and exists (select 1 from user_tables m where m.table_name = 'CERTIFY_MARK')
    union all
    select 9, 'table', m.table_name, ` + oracleLiteral(`declare
    l_others number;
begin
    `+oracleOthers+`

    if l_others = 0 then
        execute immediate 'drop table certify_mark purge';
    end if;
end;`) + `
    from user_tables m
    where m.table_name = 'CERTIFY_MARK'
) r
order by r.step, r.name`
