{{- if .Runner -}}
begin
    -- What the runner's sessions call: the steps of a worker, the text of tasks and, from tasks, the public package. All users of
    -- the package get the views, new ones too: each user sees only their own rows. READ, because SELECT would also allow locking
    -- the rows (SQL Language Reference, GRANT). Only missing grants: GRANT waits for running calls of a package.
    for g in (select n.privilege, n.object_name, n.grantee
              from (select 'EXECUTE' as privilege, o.object_name, {{str .Runner}} as grantee
                    from user_objects o
                    where o.object_type = 'PACKAGE' and o.object_name in ('{{.PU}}LANE', '{{.PU}}RUN', 'DBSCHED')
                    union
                    select 'READ', w.view_name, u.grantee
                    from user_views w
                    cross join (select p.grantee from user_tab_privs p where p.owner = {{.OwnerLit}} and p.table_name = 'DBSCHED' and p.privilege = 'EXECUTE'
                                union
                                select {{str .Runner}} from dual) u
                    where w.view_name in ({{list 42 .ViewNames}}) and u.grantee <> {{.OwnerLit}}) n
              where not exists (select 1
                                from user_tab_privs p
                                where p.owner = {{.OwnerLit}} and p.table_name = n.object_name and p.privilege = n.privilege and p.grantee = n.grantee)
              order by n.object_name, n.grantee)
    loop
        execute immediate 'grant ' || g.privilege || ' on ' || g.object_name || ' to ' || dbms_assert.enquote_name(g.grantee, false);
    end loop;
end;
{{- end}}
