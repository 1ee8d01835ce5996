    procedure give_back (in_request_id in number) is
        pragma autonomous_transaction;
        l_rows number := 0;
    begin
        {{.P}}base.begin_transaction;

        for r in (select q.* from {{.P}}resource_requests q where q.request_id = in_request_id) loop
            {{.P}}rights.require_owner(r.requested_by, 20045, 'request ' || in_request_id);

            if r.session_key is null then
                {{.P}}base.fail(20046, 'the request belongs to a task, which releases it when it ends; end the task with cancel_task.');
            end if;

            withdraw(r.resource_id, in_request_id, l_rows);
            commit write immediate wait;
        end loop;

        if l_rows = 0 then
            {{.P}}base.fail(20044, 'there is no such request: it was released before, or taken away because its session ended or its lease ran out.');
        end if;
    end give_back;
