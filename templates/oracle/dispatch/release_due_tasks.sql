    -- Makes due delayed tasks and retries claimable, in slices. If some are left they are due, so the next turn follows at once.
    procedure release_due is
        l_now timestamp(6) := sys_extract_utc(systimestamp);
        l_last timestamp(6) := timestamp '1900-01-01 00:00:00';
        l_due timestamp(6);
        l_process_id number;
        l_passed number := -1;
        l_held varchar2(1);
    begin
        for i in 1 .. 50 loop
            select min(t.due_utc) into l_due from {{.P}}tasks t where t.due_utc > l_last;
            exit when l_due is null or l_due > l_now;

            select min(t.process_id) into l_process_id from {{.P}}tasks t where t.due_utc = l_due;
            continue when l_process_id is null;

            if l_process_id <> l_passed then
                {{.P}}base.lock_process(l_process_id, l_held);
            end if;

            if l_process_id = l_passed or l_held = 'Y' then
                l_passed := l_process_id;
                l_last := l_due;
                continue;
            end if;

            update {{.P}}tasks t
            set t.status = 'Pending', t.wait_reason = null, t.due_at = null
            where t.due_utc <= l_now and t.process_id = l_process_id and t.status = 'Waiting' and rownum <= 500;

            update {{.P}}processes p
            set p.has_work = 'Y', p.wave_order = null
            where p.process_id = l_process_id and p.finished_at is null;

            commit write immediate wait;
        end loop;
    end release_due;
