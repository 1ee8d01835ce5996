    -- The first claimable task of a process, whose row is locked, by the claim's index: no sort, whatever the number of tasks. The hint is needed:
    -- the optimizer assumes that all rows are fetched, where a scan and a sort cost less, and statistics of a queue are stale.
    -- Marks and tasks of a transaction become visible together, so without marks nothing is before the watermark. Those beyond it are deleted first,
    -- so that they do not pile up; one that comes after that may stay.
    procedure choose_task (in_process_id in number, in_order in number, in_key in number, in_ended in number, out_task out {{.P}}tasks%rowtype) is
        l_order number := in_order;
        l_key number := in_key;

        cursor c_first (in_look in number) is
            select /*+ index(t (claim_process_id claim_order claim_key)) */ t.*
            from {{.P}}tasks t
            where t.claim_process_id = in_process_id and t.claim_order = l_order and t.claim_key > l_key
              and not exists (select 1 from {{.P}}wake_sent w
                              where w.process_id = in_process_id
                                and (in_look = 1 or w.claim_order < l_order or (w.claim_order = l_order and w.claim_key <= l_key)))
            order by t.claim_key;
    begin
        for i in 1 .. 2 loop
            open c_first(i);
            fetch c_first into out_task;
            close c_first;
            exit when i = 2 or out_task.task_id is not null;
            move_wave(in_process_id, in_ended, l_order, l_key);
        end loop;
    end choose_task;
