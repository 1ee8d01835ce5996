    procedure cancel_task (in_task_id in number) is
    begin
        if in_task_id is null then
            {{.P}}base.fail(20024, 'in_task_id is NULL.');
        end if;

        {{.P}}control.order_cancel(in_task_id);
    end cancel_task;
