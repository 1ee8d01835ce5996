    procedure order_retry (in_task_id in number, in_process_id in number default null) is
        pragma autonomous_transaction;
        l_process_id number;
        l_status varchar2(10);
        l_stopping pls_integer;
        l_rows pls_integer;
        l_failed pls_integer;
        l_others pls_integer := 0;
        l_by varchar2(140) := {{.P}}rights.submitter;
    begin
        {{.P}}base.begin_transaction;
        take_process(in_task_id, in_process_id, l_process_id, l_status);

        if l_process_id = 0 then
            {{.P}}base.fail(20027, 'the task of a firing cannot be retried. To start the schedule now, call run_schedule.');
        end if;

        if l_status is null then
            {{.P}}base.fail(20027, 'its process was deleted after its retention time; enqueue the task again.');
        end if;

        select count(*) into l_stopping from {{.P}}tasks t where t.unfinished_process_id = l_process_id and t.status = 'Stopping' and rownum <= 1;
        if l_status = 'Cancelled' and l_stopping > 0 then
            {{.P}}base.fail(20027, 'tasks of the cancelled process have not ended yet; try again.');
        end if;

        -- The process row's lock keeps these tasks unchanged. For a process: failed tasks, tasks skipped because of them (but not as
        -- duplicates of other tasks), and in a cancelled process the tasks cancelled with it.
        if in_task_id is not null then
            select count(*), count(case when t.status in ('Failed', 'TimedOut') then 1 end) into l_rows, l_failed
            from {{.P}}tasks t
            where t.task_id = in_task_id and t.status in ('Failed', 'TimedOut', 'Cancelled', 'Skipped');

            update {{.P}}tasks t
            set t.status = 'Pending', t.failures = 0, t.orphans = 0, t.outage_since = null, t.finished_at = null
            where t.task_id = in_task_id and t.status in ('Failed', 'TimedOut', 'Cancelled', 'Skipped');
        else
            select count(*), count(case when t.status in ('Failed', 'TimedOut') then 1 end),
                   count(case when nlssort(t.enqueued_by, 'NLS_SORT=BINARY') <> nlssort(l_by, 'NLS_SORT=BINARY') then 1 end)
            into l_rows, l_failed, l_others
            from {{.P}}tasks t
            where t.unwell_process_id = l_process_id and t.duplicate_of is null and (t.status <> 'Cancelled' or l_status = 'Cancelled');

            -- Others' tasks are theirs. Without them the process could not go on where it failed.
            if l_others > 0 and not {{.P}}rights.may_administer then
                {{.P}}base.fail(20025, 'tasks of another user failed or were skipped in the process. Ask an administrator, or call retry_task.');
            end if;

            update {{.P}}tasks t
            set t.status = 'Pending', t.failures = 0, t.orphans = 0, t.outage_since = null, t.finished_at = null
            where t.unwell_process_id = l_process_id and t.duplicate_of is null and (t.status <> 'Cancelled' or l_status = 'Cancelled');
        end if;

        if l_rows = 0 and (in_task_id is not null or l_status not in ('Failed', 'Cancelled')) then
            {{.P}}base.fail(20027, 'there is nothing to retry: only Failed, TimedOut, Cancelled and Skipped tasks can be retried.');
        end if;

        update {{.P}}processes p
        set p.status = case when p.status = 'Suspended' then 'Suspended' when p.close_requested = 'Y' then 'Closing' else 'Open' end,
            p.finished_at = null,
            p.has_work = 'Y',
            p.wave_order = null,
            p.tasks_failed = greatest(p.tasks_failed - l_failed, 0)
        where p.process_id = l_process_id;

        {{.P}}wake.send_now;
        commit write immediate wait;
    end order_retry;
