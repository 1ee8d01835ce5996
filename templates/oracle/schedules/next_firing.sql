    procedure next_firing (in_process_id in number, in_task_id in number default null) is
    begin
        update {{.P}}schedules s set s.look_at = sys_extract_utc(systimestamp)
        where s.schedule_id = nvl((select p.schedule_id from {{.P}}processes p where p.process_id = in_process_id), -- the key: see fire_one
                                  (select to_number(regexp_substr(t.dedup_key, '^([0-9]{1,10})@', 1, 1, 'c', 1)) from {{.P}}tasks t where t.task_id = in_task_id and t.process_id = 0))
          and s.waiting > 0;
        if sql%rowcount = 1 then
            {{.P}}wake.send_now;
        end if;
    end next_firing;
