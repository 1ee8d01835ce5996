    function submitter return varchar2 is
        l_task {{.P}}tasks%rowtype := current_task;
    begin
        return nvl(l_task.enqueued_by, sys_context('USERENV', 'SESSION_USER') || '#' || sys_context('USERENV', 'SESSION_USERID'));
    end submitter;

    function name_of (in_submitter in varchar2) return varchar2 is
    begin
        return {{.Name "in_submitter"}};
    end name_of;

    function gone (in_submitter in varchar2) return boolean is
        l_name varchar2(128) := name_of(in_submitter);
        l_count pls_integer;
    begin
        if same_user(l_name, {{.OwnerLit}}) then
            return false; -- the packages are the owner's
        end if;

        select count(*) into l_count
        from all_users u
        where nlssort(u.username, 'NLS_SORT=BINARY') = nlssort(l_name, 'NLS_SORT=BINARY')
{{- if .Runner}} and u.user_id = to_number(substr(in_submitter, length(l_name) + 2)){{end}};
        return l_count = 0;
    end gone;

    function barred (in_submitter in varchar2) return varchar2 is
{{- if .Runner}}
        l_name varchar2(128) := name_of(in_submitter);
        l_count pls_integer;
{{- end}}
    begin
        if gone(in_submitter) then
            return 'no longer exists';
        end if;
{{- if .Runner}}

        -- Who has which role is not visible here: a grant to a role, or to PUBLIC, counts for all.
        select count(*) into l_count
        from user_tab_privs p
        where p.owner = {{.OwnerLit}} and p.table_name = 'DBSCHED' and p.privilege = 'EXECUTE'
          and (nlssort(p.grantee, 'NLS_SORT=BINARY') = nlssort(l_name, 'NLS_SORT=BINARY')
               or not exists (select 1 from all_users u where u.username = p.grantee));
        if l_count = 0 and not same_user(l_name, {{.OwnerLit}}) then
            return 'may no longer call dbsched';
        end if;
{{- end}}
        return null;
    end barred;

    function administrator{{if .Runner}} (in_submitter in varchar2 default null){{end}} return varchar2 is
{{- if .Runner}}
        l_user varchar2(140) := nvl(in_submitter, submitter);
        l_count pls_integer;
    begin
        if same_user(name_of(l_user), {{.OwnerLit}}) then
            return 'Y';
        end if;

        select count(*) into l_count from {{.P}}administrators a where nlssort(a.user_name, 'NLS_SORT=BINARY') = nlssort(l_user, 'NLS_SORT=BINARY');
        return case when l_count > 0 then 'Y' else 'N' end;
{{- else}}
    begin
        -- Tasks run as the owner, so every caller of the packages can do everything.
        return 'Y';
{{- end}}
    end administrator;

    function may_administer return boolean is
    begin
        return administrator = 'Y'{{if .Runner}} and not same_user(sys_context('USERENV', 'SESSION_USER'), {{str .Runner}}){{end}};
    end may_administer;

    procedure require_administrator (in_what in varchar2) is
    begin
        if not may_administer then
            raise_application_error(-20061, 'dbsched 20061: ' || in_what || ' needs a dbsched administrator, outside a task; you are '
                || name_of(submitter) || '. The owner can run: dbsched grant USER --admin.');
        end if;
    end require_administrator;

    procedure require_owner (in_user in varchar2, in_number in number, in_what in varchar2) is
    begin
        if not may_administer and not same_user(submitter, in_user) then
            raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_what || ' belongs to another user.');
        end if;
    end require_owner;

    function process_of (in_process_id in number, in_which in varchar2 default null) return {{.P}}processes%rowtype is
        l_process {{.P}}processes%rowtype;
    begin
        -- Nobody uses process 0, that of schedules.
        select p.* into l_process from {{.P}}processes p where p.process_id = in_process_id and p.process_id > 0;

        if in_process_id <> 1 then
            require_owner(l_process.created_by, 20006, in_which || 'process ' || in_process_id);
        end if;
        return l_process;
    exception
        when no_data_found then
            {{.P}}base.fail(20004, in_which || 'there is no process ' || nvl(to_char(in_process_id), 'NULL') || '.');
    end process_of;
