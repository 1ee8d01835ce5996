    procedure sweep (out_more out varchar2) is
        l_retention number;
        l_cutoff timestamp with time zone;
        l_last number;
        l_id number;
        l_locked number;
        l_open number;
        l_held varchar2(1);
        l_rows pls_integer;
        l_full varchar2(1);
    begin
        rollback;
        out_more := 'N';

        select s.retention_days into l_retention from {{.P}}settings s where s.settings_id = 1;
        l_cutoff := {{.P}}base.utc_now - numtodsinterval(l_retention, 'DAY');

        free_dead_lanes;
        {{.P}}resource.sweep;

        -- Attempts in lanes that are Off now, whose workers ended without recording the result.
        l_last := 0;
        loop
            select min(t.lane_id) into l_id from {{.P}}tasks t where t.lane_id > l_last;
            exit when l_id is null;
            {{.P}}worker.recover(l_id);
            l_last := l_id;
        end loop;

        -- Closing processes whose last enqueuer rolled back, and tasks that were enqueued while their process was ending.
        l_last := 0;
        loop
            select min(p.process_id) into l_id
            from {{.P}}processes p
            where p.process_id > l_last and p.open_process_id > l_last and p.status = 'Closing';

            exit when l_id is null;
            l_last := l_id;

            {{.P}}base.begin_transaction;
            {{.P}}base.lock_process(l_id, l_held);
            if l_held = 'N' then
                {{.P}}worker.close_if_done(l_id);
            end if;
            commit write immediate wait;
        end loop;

        -- Their transactions may have been open for any time, so the search starts from the tasks.
        l_last := 0;
        loop
            select min(t.unfinished_process_id) into l_id from {{.P}}tasks t where t.unfinished_process_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            -- If the process is gone, it ended and was purged before the task became visible.
            select max(p.process_id) into l_open from {{.P}}processes p where p.process_id = l_id and p.finished_at is null;
            continue when l_open is not null;

            select max(t.task_id) into l_locked from {{.P}}tasks t where t.unfinished_process_id = l_id and t.status in ('Pending', 'Waiting');
            continue when l_locked is null;

            -- It may have been reopened in the meantime.
            {{.P}}base.begin_transaction;
            {{.P}}base.lock_process(l_id, l_held);
            select max(p.process_id) into l_open from {{.P}}processes p where p.process_id = l_id and p.finished_at is null;

            update {{.P}}tasks t
            set t.status = 'Skipped', t.wait_reason = null, t.due_at = null, t.finished_at = systimestamp at time zone '+00:00'
            where t.unfinished_process_id = l_id and l_open is null and l_held = 'N' and t.status in ('Pending', 'Waiting') and rownum <= 500;

            l_rows := sql%rowcount;
            if l_rows = 500 then
                out_more := 'Y';
            end if;

            if l_rows > 0 then
                {{.P}}worker.alarm('LateTask', l_rows || ' tasks were committed after their process had ended; they were skipped.', in_process_id => l_id);
            end if;
            commit write immediate wait;
        end loop;

        -- Marks of transactions that added to a process that has ended.
        delete from {{.P}}wake_sent w
        where rownum <= 5000 and not exists (select 1 from {{.P}}processes p where p.process_id = w.process_id and p.finished_at is null);
        commit write immediate wait;

        {{.P}}round.sweep;

        {{.P}}admin.prune(l_cutoff, l_rows, l_full);
        if l_full = 'Y' then
            out_more := 'Y';
        end if;
    end sweep;
