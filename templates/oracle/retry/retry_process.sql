    procedure retry_process (in_process_id in number) is
    begin
        {{.P}}control.order_retry(null, in_process_id);
    end retry_process;
