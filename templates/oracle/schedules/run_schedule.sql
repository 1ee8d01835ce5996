    procedure run_schedule (in_name in varchar2) is
    begin
        order_schedule(in_name, 'Run');
    end run_schedule;
