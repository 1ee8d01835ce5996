create or replace package body {{.P}}rights as
    function submitter return varchar2 is
        l_key varchar2(24) := dbms_session.unique_session_id;
        l_name varchar2(128);
    begin
        -- A session that runs a task is its lane's; whom the task is from cannot be changed by it.
        select max(t.enqueued_by) into l_name
        from {{.P}}lanes l
        inner join {{.P}}tasks t on t.task_id = l.task_id
        where l.session_key = l_key and l.task_id is not null and t.worker_id = l.worker_id;

        return nvl(l_name, sys_context('USERENV', 'SESSION_USER'));
    end submitter;

    function administrator return varchar2 is
{{- if .Runner}}
        l_user varchar2(128) := submitter;
        l_count pls_integer;
    begin
        if l_user = {{.OwnerLit}} then
            return 'Y';
        end if;

        select count(*) into l_count from {{.P}}administrators a where a.user_name = l_user;
        return case when l_count > 0 then 'Y' else 'N' end;
{{- else}}
    begin
        -- Tasks run as the owner: whoever may call the packages at all can have anything done.
        return 'Y';
{{- end}}
    end administrator;

    procedure require_administrator (in_what in varchar2) is
    begin
        if administrator = 'N' then
            raise_application_error(-20061, 'dbsched 20061: ' || in_what || ' is for administrators of dbsched; you are ' || submitter || '.');
        end if;
    end require_administrator;

    procedure require_owner (in_user in varchar2, in_number in number, in_what in varchar2) is
    begin
        if administrator = 'N' and submitter <> in_user then
            raise_application_error(0 - in_number, 'dbsched ' || in_number || ': ' || in_what || ' belongs to another user.');
        end if;
    end require_owner;
end {{.P}}rights;
