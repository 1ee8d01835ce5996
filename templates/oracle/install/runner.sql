declare
    -- Runs as {{.Runner}}, the user that runs tasks. This batch changes nothing. It fails if the user has more rights than tasks should.
    l_names varchar2(2000);
    l_count pls_integer;
begin
    if sys_context('USERENV', 'SESSION_USER') <> {{str .Runner}} then
        raise_application_error(-20085, 'dbsched 20085: this script was rendered for the user {{.Runner}}. Connect as that user. You are ' || sys_context('USERENV', 'SESSION_USER') || '.');
    end if;

    execute immediate 'alter session set current_schema = {{.Runner}}';

    -- Since 23ai, privileges can be granted on a schema. SESSION_PRIVS does not show those (Database Reference).
    select count(*) into l_count from all_views v where v.owner = 'SYS' and v.view_name = 'SESSION_PRIVS_ALL';

    -- With any of these, a task could reach the owner's tables or become another user.
    execute immediate 'select listagg(n.privilege, '', '') within group (order by n.privilege) from (select distinct p.privilege from '
        || case when l_count > 0 then 'sys.session_privs_all p where nvl(p.schema, :1) = :2' else 'session_privs p where :1 = :2' end
        || q'[ and p.privilege in (
            'SELECT ANY TABLE', 'READ ANY TABLE', 'INSERT ANY TABLE', 'UPDATE ANY TABLE', 'DELETE ANY TABLE', 'ALTER ANY TABLE',
            'DROP ANY TABLE', 'LOCK ANY TABLE', 'EXECUTE ANY PROCEDURE', 'CREATE ANY PROCEDURE', 'ALTER ANY PROCEDURE',
            'DROP ANY PROCEDURE', 'CREATE ANY TRIGGER', 'CREATE ANY VIEW', 'CREATE ANY JOB', 'MANAGE SCHEDULER', 'DEQUEUE ANY QUEUE',
            'ENQUEUE ANY QUEUE', 'MANAGE ANY QUEUE', 'BECOME USER', 'ALTER USER', 'GRANT ANY PRIVILEGE', 'GRANT ANY ROLE',
            'GRANT ANY OBJECT PRIVILEGE', 'GRANT ANY SCHEMA PRIVILEGE', 'ALTER SYSTEM')) n]'
        into l_names using {{.OwnerLit}}, {{.OwnerLit}};

    if l_names is not null then
        raise_application_error(-20065, 'dbsched 20065: {{.Runner}} has more rights than tasks should have: ' || substr(l_names, 1, 1500)
            || '. Use another user that has only CREATE SESSION and CREATE JOB.');
    end if;

    select count(*) into l_count
    from all_tab_privs p
    where p.table_schema = {{.OwnerLit}} and p.privilege <> 'READ' and substr(p.table_name, 1, {{len .PU}}) = '{{.PU}}'
      and p.grantee in ({{str .Runner}}, 'PUBLIC') and p.table_name not in ('{{.PU}}LANE', '{{.PU}}RUN') and not regexp_like(p.table_name, '^{{.PU}}LANE_[0-9][0-9]$');

    if l_count > 0 then
        raise_application_error(-20065, 'dbsched 20065: {{.Runner}} or PUBLIC has rights on dbsched''s objects in {{.Owner}}. Revoke them.');
    end if;

    -- Names resolve to objects of the session's schema and to public synonyms first (Database Administrator's Guide,
    -- "Managing Object Name Resolution").
    select min(o.owner) into l_names
    from all_objects o
    where o.object_name = {{.OwnerLit}} and o.owner in ({{str .Runner}}, 'PUBLIC')
      and o.object_type in ('TABLE', 'VIEW', 'SYNONYM', 'SEQUENCE', 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'TYPE', 'MATERIALIZED VIEW');
    if l_names is not null then
        raise_application_error(-20065, 'dbsched 20065: ' || l_names
                                || ' has an object or synonym called {{.Owner}}: in sessions of {{.Runner}} it hides the schema. Rename it.');
    end if;

    select count(*) into l_count from session_privs p where p.privilege = 'CREATE JOB';
    if l_count = 0 then
        select count(*) into l_count from user_scheduler_jobs j where j.job_name = '{{.PU}}LANE_{{printf "%02d" (len .Lanes)}}';
        if l_count = 0 then
            raise_application_error(-20083, 'dbsched 20083: rights are missing. Have a DBA run: grant create job to {{.Runner}};');
        end if;
    end if;

    -- A runner serves one installation: the names of its jobs are fixed.
    select min(j.job_name) into l_names
    from user_scheduler_jobs j
    where regexp_like(j.job_name, '^{{.PU}}LANE_[0-9][0-9]$') and (j.comments is null or j.comments not like 'dbsched: worker slot % of {{.Owner}}');

    if l_names is not null then
        raise_application_error(-20065, 'dbsched 20065: the job ' || l_names || ' of {{.Runner}} belongs to another installation; each needs a runner of its own.');
    end if;
end;
