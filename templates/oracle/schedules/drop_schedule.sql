    procedure drop_schedule (in_name in varchar2) is
    begin
        order_schedule(in_name, 'Drop');
    end drop_schedule;
