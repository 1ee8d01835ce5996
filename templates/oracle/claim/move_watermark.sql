    -- Takes the marks of transactions that added tasks to a process, whose row is locked, and moves its watermark to the wave that it is in.
    -- in_ended: 1 = it still counts an attempt as running that has ended.
    procedure move_wave (in_process_id in number, in_ended in number, out_order out number, out_key out number) is
        l_order number;
        l_key number;
        l_running number;
        l_marks pls_integer;
    begin
        select p.wave_order, p.wave_key, p.running - in_ended, (select count(*) from {{.P}}wake_sent w where w.process_id = p.process_id)
        into l_order, l_key, l_running, l_marks
        from {{.P}}processes p
        where p.process_id = in_process_id;

        -- Before it looks: a mark that is committed later stays, and is seen. Most transactions add beyond the watermark.
        if l_marks > 0 then
            delete from {{.P}}wake_sent w
            where w.process_id = in_process_id and (w.claim_order > l_order or (w.claim_order = l_order and w.claim_key > l_key));

            delete from {{.P}}wake_sent w where w.process_id = in_process_id;
            l_order := case sql%rowcount when 0 then l_order end;
        end if;

        find_wave(in_process_id, l_order, l_key, l_running, out_order, out_key);

        -- Without a watermark, or if the wave is an earlier one, running tasks of later waves would look like tasks of this one.
        if (l_order is null and out_order is not null) or out_order <> l_order then
            update {{.P}}processes p
            set p.wave_order = case when out_order > l_order
                                         or not exists (select 1 from {{.P}}tasks t
                                                        where t.lane_id > 0 and t.process_id = in_process_id and t.execution_order > out_order)
                                    then out_order end,
                p.wave_key = 0
            where p.process_id = in_process_id;
        end if;
    end move_wave;
