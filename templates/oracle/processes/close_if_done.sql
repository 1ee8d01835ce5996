    procedure close_if_done (in_process_id in number) is
    begin
        -- An uncommitted task is not visible here. If it is committed late, the sweep skips it with an alarm.
        update {{.P}}processes p
        set p.status = case when p.tasks_failed > 0 then 'Failed' else 'Succeeded' end,
            p.finished_at = systimestamp at time zone '+00:00',
            p.has_work = 'N'
        where p.process_id = in_process_id
          and p.status = 'Closing'
          and not exists (select 1 from {{.P}}tasks t where t.unfinished_process_id = in_process_id);

        if sql%rowcount = 1 then
            {{.P}}schedule.next_firing(in_process_id);
        end if;
    end close_if_done;
