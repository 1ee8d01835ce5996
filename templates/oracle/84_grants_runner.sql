{{- if .Runner -}}
begin
    -- What the runner's sessions call: the steps of a worker, the text of tasks, and, as tasks, the public package.
    execute immediate 'grant execute on {{.P}}lane to {{.Runner}}';
    execute immediate 'grant execute on {{.P}}run to {{.Runner}}';
    execute immediate 'grant execute on dbsched to {{.Runner}}';

    -- Views, those that are new with this version, too, are for everybody who has the package: they show each his own. READ and
    -- not SELECT: who may SELECT may lock the rows (SQL Language Reference, GRANT).
    for u in (select distinct p.grantee
              from user_tab_privs p
              where p.owner = {{.OwnerLit}} and p.table_name = 'DBSCHED' and p.privilege = 'EXECUTE' and p.grantee <> {{.OwnerLit}}
              order by p.grantee)
    loop
        for v in (select w.view_name
                  from user_views w
                  where w.view_name in ({{range $i, $name := .ViewNames}}{{if $i}}, {{end}}{{str $name}}{{end}})
                  order by w.view_name)
        loop
            execute immediate 'grant read on ' || v.view_name || ' to ' || dbms_assert.enquote_name(u.grantee, false);
        end loop;
    end loop;
end;
{{- end}}
