    procedure release_process (in_process_id in number) is
    begin
        request_process(in_process_id, 'Release');
    end release_process;
