    -- Wakes the dispatcher, with a mark of the first new task of each process.
    procedure wake (in_new in task_rows) is
        l_last pls_integer;
        l_key number;
        l_lowest number;
    begin
        for i in 1 .. in_new.count loop
            l_key := {{.P}}base.claim_key(in_new(i).priority, in_new(i).expected_seconds, in_new(i).task_id);
            if l_last is null or in_new(i).process_id <> in_new(l_last).process_id or in_new(i).execution_order < in_new(l_last).execution_order
               or (in_new(i).execution_order = in_new(l_last).execution_order and l_key < l_lowest) then
                {{.P}}wake.send(in_new(i).process_id, in_new(i).execution_order, l_key);
                l_last := i;
                l_lowest := l_key;
            end if;
        end loop;
    end wake;

