    procedure find_wave (
        in_process_id in number, in_order in number, in_key in number, in_running in number, out_order out number, out_key out number) is
        l_looks pls_integer;
    begin
        -- One statement: what it returns was so at one moment.
        select f.looks,
               case when f.looks = 1 then (select min(t.unfinished_order) from {{.P}}tasks t where t.unfinished_process_id = in_process_id)
                    when in_running > 0
                         or exists (select 1 from {{.P}}tasks t
                                    where t.claim_process_id = in_process_id and t.claim_order = in_order and t.claim_key > in_key)
                         or (select max(t.waiting_order) from {{.P}}tasks t
                             where t.waiting_process_id = in_process_id and t.waiting_order <= in_order) is not null
                    then in_order
                    else (select min(t.unfinished_order) from {{.P}}tasks t
                          where t.unfinished_process_id = in_process_id and t.unfinished_order > in_order) end
        into l_looks, out_order
        from (select case when in_order is null
                               or exists (select 1
                                          from {{.P}}wake_sent w
                                          where w.process_id = in_process_id
                                            and (w.claim_order < in_order or (w.claim_order = in_order and w.claim_key <= in_key)))
                          then 1 else 0 end as looks
              from dual) f;

        out_key := case when l_looks = 0 and out_order = in_order then in_key else 0 end;
    end find_wave;
