    procedure set_schedule_enabled (in_name in varchar2, in_enabled in boolean) is
    begin
        if in_enabled is null then
            {{.P}}base.fail(20003, 'in_enabled is NULL.');
        end if;
        order_schedule(in_name, case when in_enabled then 'Enable' else 'Disable' end);
    end set_schedule_enabled;
