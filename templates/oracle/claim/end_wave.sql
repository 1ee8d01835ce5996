    -- What follows the end of an attempt: marks the process's work, ends it if it is closing and has none, and wakes the dispatcher if the
    -- next wave needs more workers than the in_taken that go on with it, or the task of a dead worker needs one.
    -- in_ended: 1 = the process still counts the attempt as running.
    procedure end_wave (
        in_process_id in number, in_order in number, in_ended in number, in_taken in pls_integer, in_orphaned in boolean default false) is
        l_lowest number;
        l_key number;
        l_pending pls_integer;
    begin
        move_wave(in_process_id, in_ended, l_lowest, l_key);

        select count(*) into l_pending
        from {{.P}}tasks t
        where t.claim_process_id = in_process_id and t.claim_order = l_lowest and t.claim_key > l_key and rownum <= 2;

        if l_pending > 0 then
            update {{.P}}processes p set p.has_work = 'Y' where p.process_id = in_process_id and p.has_work = 'N' and p.status in ('Open', 'Closing');
        elsif l_lowest is null then
            close_if_done(in_process_id);
        end if;

        if (l_lowest > in_order and l_pending > in_taken) or (in_orphaned and l_pending > 0) then
            {{.P}}wake.send_now;
        end if;
    end end_wave;
