    procedure lock_process (in_process_id in number, out_held out varchar2) is
        l_process_id number;
    begin
        out_held := 'N';
        select p.process_id into l_process_id from {{.P}}processes p where p.process_id = in_process_id for update wait 1;
    exception
        when no_data_found then
            null;
        when {{.P}}base.e_held or {{.P}}base.e_busy then
            out_held := 'Y';
    end lock_process;
