    -- The next task by policy; its process is locked. in_locked: the process of an attempt that has ended, which is locked already and still
    -- counts it; no other is locked beside it, because two workers could hold what the other waits for. out_passed: a process was skipped
    -- for that, or because another session held its row.
    procedure choose_process (in_policy in varchar2, in_locked in number, out_task out {{.P}}tasks%rowtype, out_passed out boolean) is
        l_process {{.P}}processes%rowtype;

        -- Under the settings row's lock there is no other claim, so the order does not change while the rows are read.
        cursor c_processes is
            select p.process_id, p.wave_order, p.wave_key
            from {{.P}}processes p
            where p.work_process_id >= 0
              and p.status in ('Open', 'Closing')
              and (p.max_parallel is null or p.running - case p.process_id when in_locked then 1 else 0 end < p.max_parallel)
            order by case when in_policy = 'RoundRobin' then (p.running - case p.process_id when in_locked then 1 else 0 end) / p.weight else 0 end,
                     case when in_policy = 'RoundRobin' then p.last_served_at end nulls first,
                     case when in_policy = 'Priority' then 0 - p.priority else 0 end,
                     p.process_id;
    begin
        out_passed := false;

        -- Each pick is a separate statement: it sees what the last holder of the settings row's lock committed.
        for r in c_processes loop
            if r.process_id <> in_locked then
                out_passed := true;
                exit;
            end if;

            begin
                if in_locked is null then
                    lock_soon(r.process_id, l_process);
                    continue when l_process.status not in ('Open', 'Closing') or l_process.running >= l_process.max_parallel;
                    choose_task(r.process_id, l_process.wave_order, l_process.wave_key, 0, out_task);
                else
                    choose_task(r.process_id, r.wave_order, r.wave_key, 1, out_task);
                end if;

                exit when out_task.task_id is not null;
                update {{.P}}processes p set p.has_work = 'N' where p.process_id = r.process_id;
            exception
                when no_data_found then
                    null;
                when {{.P}}base.e_held or {{.P}}base.e_busy then
                    out_passed := true;
            end;
        end loop;
    end choose_process;
