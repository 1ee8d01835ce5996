    procedure cancel_process (in_process_id in number) is
    begin
        if in_process_id in (0, 1) then
            {{.P}}base.fail(20013, 'processes 0 (of schedules) and 1 (the default process) never end.');
        end if;

        {{.P}}control.order_cancel(null, in_process_id);
    end cancel_process;
