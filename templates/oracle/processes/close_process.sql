    procedure close_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Close');
    end close_process;
