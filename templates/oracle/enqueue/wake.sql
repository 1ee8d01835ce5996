    -- Wakes the dispatcher, with a mark of the first new task of each process: of each that may be before the one above it, send takes the first.
    procedure wake (in_new in task_rows) is
    begin
        for i in 1 .. in_new.count loop
            if i = 1 or in_new(i).process_id <> in_new(i - 1).process_id or in_new(i).execution_order < in_new(i - 1).execution_order
               or in_new(i).priority > in_new(i - 1).priority or in_new(i).expected_seconds > in_new(i - 1).expected_seconds then
                {{.P}}wake.send(in_new(i).process_id, in_new(i).execution_order,
                    {{.P}}base.claim_key(in_new(i).priority, in_new(i).expected_seconds, in_new(i).task_id));
            end if;
        end loop;
    end wake;
