    -- Of two tasks with the same key that were enqueued at the same time, the one that runs or has run stays, else the older one.
    -- Skips this one if it is the other. The settings row and the process are locked.
    procedure skip_duplicate (in_task in {{.P}}tasks%rowtype, out_skipped out boolean) is
        l_other number;
    begin
        out_skipped := false;
        if in_task.dedup_key is null then
            return;
        end if;

        select min(d.task_id) into l_other
        from {{.P}}tasks d
        where d.unfinished_key = in_task.dedup_key
          and nlssort(d.unfinished_key, 'NLS_SORT=BINARY') = nlssort(in_task.dedup_key, 'NLS_SORT=BINARY')
          and d.process_id = in_task.process_id
          and nlssort(d.enqueued_by, 'NLS_SORT=BINARY') = nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY')
          and d.task_id <> in_task.task_id
          and (d.status in ('Running', 'Stopping')
               or (d.attempt > 0 and in_task.attempt = 0)
               or (d.task_id < in_task.task_id and (d.attempt > 0 or in_task.attempt = 0)));

        if l_other is null then
            return;
        end if;
        out_skipped := true;

        update {{.P}}tasks t
        set t.status = 'Skipped', t.duplicate_of = l_other, t.finished_at = {{.P}}base.utc_now
        where t.task_id = in_task.task_id and t.status = 'Pending';

        -- Leave the resource's line, and end the process if nothing else was left. If a wave ended with this task, the next one
        -- may need more workers than this one, which looks again.
        if in_task.resource_id is not null then
            {{.P}}resource.leave_line(in_task.process_id, in_task.task_id);
        end if;
        close_if_done(in_task.process_id);
        {{.P}}wake.send_now;
    end skip_duplicate;

    -- Takes the resource that a task names. If it is not free, the task waits in the resource's line, hidden from workers.
    procedure wait_in_line (io_task in out nocopy {{.P}}tasks%rowtype, out_waits out boolean) is
        l_line varchar2(8);
    begin
        out_waits := false;
        if io_task.resource_id is null then
            return;
        end if;

        {{.P}}resource.join_line(io_task.process_id, io_task.task_id, io_task.resource_id, io_task.access_mode, l_line);

        if l_line = 'Gone' then
            io_task.sql_text := 'begin raise_application_error(-20040, ''dbsched 20040: the resource of the task was dropped.'
                || ' Create it again with define_resource, then enqueue the task again.''); end;';
        elsif l_line <> 'Granted' then
            out_waits := true;
            update {{.P}}tasks t
            set t.status = 'Waiting', t.wait_reason = 'Resource'
            where t.task_id = io_task.task_id and t.status = 'Pending';
        end if;
    end wait_in_line;

    -- Whether the chosen task may start now. If not, the claim commits what it has found, and looks again: one transaction each, because a
    -- wave may have many such tasks, and all workers wait for the settings row.
    procedure admit_task (in_ended in attempt, io_task in out nocopy {{.P}}tasks%rowtype, out_admitted out boolean) is
        l_passed boolean;
    begin
        out_admitted := false;

        -- The ended attempt may have left a resource, and who holds the lock on one must not wait for that of another.
        if in_ended.task_id is not null and io_task.resource_id is not null then
            end_wave(in_ended.process_id, in_ended.execution_order, 1, 1);
            return;
        end if;

        skip_duplicate(io_task, l_passed);
        if not l_passed then
            wait_in_line(io_task, l_passed);
        end if;

        -- It is no longer Pending, so the watermark may pass it.
        if l_passed then
            update {{.P}}processes p
            set p.wave_key = io_task.claim_key
            where p.process_id = io_task.process_id and p.wave_order = io_task.execution_order;
        end if;
        out_admitted := not l_passed;
    end admit_task;
{{- if .Runner}}

    -- What a task leaves in its session (roles, contexts, temporary tables) must not reach another user's task.
    function other_submitter (in_lane_id in number, in_worker_id in varchar2, in_task in {{.P}}tasks%rowtype) return boolean is
        l_submitter varchar2(140);
    begin
        select max(l.submitter) into l_submitter from {{.P}}lanes l where l.lane_id = in_lane_id and l.worker_id = in_worker_id;
        return nlssort(l_submitter, 'NLS_SORT=BINARY') <> nlssort(in_task.enqueued_by, 'NLS_SORT=BINARY');
    end other_submitter;

    -- Nobody is left for whom it would run: another user of that name is not the one.
    procedure refuse_gone (io_task in out nocopy {{.P}}tasks%rowtype) is
    begin
        if {{.P}}rights.gone(io_task.enqueued_by) then
            io_task.sql_text := 'begin raise_application_error(-20021, ''dbsched 20021: the user that enqueued the task no longer exists.''); end;';
            io_task.parameters := null;
        end if;
    end refuse_gone;

{{- end}}
