    procedure forget (in_name in varchar2) is
        pragma autonomous_transaction;
        l_resource_id number := resource_of(in_name);
        l_wanted pls_integer;
    begin
        {{.P}}base.begin_transaction;

        if l_resource_id is null or lock_line(l_resource_id) is null then
            {{.P}}base.fail(20040, 'there is no such resource; see {{.P}}resource_info.');
        end if;

        select count(*) into l_wanted from {{.P}}resource_requests r where r.resource_id = l_resource_id and rownum <= 1;
        if l_wanted = 0 then
            select count(*) into l_wanted
            from {{.P}}tasks t
            where t.unfinished_process_id > 0 and t.resource_id = l_resource_id and rownum <= 1;
        end if;

        if l_wanted > 0 then
            {{.P}}base.fail(20047, 'the resource has holders or waiters, or an unfinished task names it; see {{.P}}resource_info and {{.P}}task_info.');
        end if;

        delete from {{.P}}resources s where s.resource_id = l_resource_id;
        commit write immediate wait;
    end forget;
