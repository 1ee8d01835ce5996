    -- Records the report; out_firing_id is set if the caller must now start a job.
    procedure record_report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in varchar2,
        out_outcome out varchar2,
        out_firing_id out number)
    is
        l_round {{.P}}rounds%rowtype;
        l_missing pls_integer;
        l_firing_id number;
        l_task_id number;
        l_error varchar2(1000);
        l_barred varchar2(100);
{{- if .Runner}}
        l_creator varchar2(140);
{{- end}}
    begin
        {{.P}}base.begin_transaction;

        -- Reports of a round are serialized, so that only one of two simultaneous reports is the last.
        begin
            select r.* into l_round
            from {{.P}}rounds r
            where r.name = in_round
            for update wait 30;
        exception
            when no_data_found then
                {{.P}}base.fail(20051, 'there is no round "' || in_round || '".');
        end;

        {{.P}}rights.require_owner(l_round.defined_by, 20053, 'round "' || in_round || '"');
        forget_old_reports(l_round.round_id);

        update {{.P}}round_members m
        set m.reported_at = systimestamp at time zone '+00:00', m.succeeded = in_succeeded
        where m.round_id = l_round.round_id and m.member = in_member;

        if sql%rowcount = 0 then
            {{.P}}base.fail(20052, 'round "' || in_round || '" has no member "' || in_member || '".');
        end if;

        if in_succeeded = 'N' then
            out_outcome := 'Reported';
            {{.P}}worker.alarm('RoundFailed', 'Round "' || in_round || '" does not start its successor: member "' || in_member
                || '" failed. Fix it and run it again; its success then counts.', in_user => l_round.defined_by);
            commit write immediate wait;
            return;
        end if;

        -- A separate statement from the one that waited for the row: it sees what the last holder committed.
        select count(*) into l_missing
        from {{.P}}round_members m
        where m.round_id = l_round.round_id and (m.succeeded is null or m.succeeded = 'N');

        if l_missing > 0 then
            out_outcome := 'Waiting';
            commit write immediate wait;
            return;
        end if;

        l_firing_id := {{.P}}firing_seq.nextval;

        insert into {{.P}}round_firings (firing_id, round_id, generation, fired_at, fired_by, job_owner, job_name, start_seconds)
        values (l_firing_id, l_round.round_id, l_round.generation, systimestamp at time zone '+00:00', in_member, l_round.job_owner, l_round.job_name,
                l_round.start_seconds);

        update {{.P}}rounds r set r.generation = r.generation + 1 where r.round_id = l_round.round_id;
        update {{.P}}round_members m set m.reported_at = null, m.succeeded = null where m.round_id = l_round.round_id;

        if l_round.job_name is null then
            begin
                -- The task is the definer's: what counts is what that user may do now, whoever reports.
                l_barred := {{.P}}rights.barred(l_round.defined_by);
                if l_barred is not null then
                    {{.P}}base.fail(20057, {{.P}}rights.name_of(l_round.defined_by) || ', who defined the round, ' || l_barred
                        || '. Have another user define it again.');
                end if;
{{- if .Runner}}
                select max(p.created_by) into l_creator from {{.P}}processes p where p.process_id = nullif(l_round.successor_process_id, 1);
                if not {{.P}}rights.same_user(l_creator, l_round.defined_by) and {{.P}}rights.administrator(l_round.defined_by) = 'N' then
                    {{.P}}base.fail(20006, 'process ' || l_round.successor_process_id || ' belongs to another user than the round.');
                end if;
{{- end}}
                dbsched.exec_async(in_sql => l_round.successor_sql, in_execution_order => l_round.successor_order, in_process_id => l_round.successor_process_id, out_task_id => l_task_id);
            exception
                when others then
                    l_error := substrb(sqlerrm, 1, 1000);
                    rollback;
                    {{.P}}worker.alarm('RoundStart', 'Round "' || in_round || '": the last report, by member "' || in_member
                        || '", was rolled back because the task cannot be enqueued. Report again after fixing this: '
                        || l_error, in_user => l_round.defined_by);
                    commit write immediate wait;
                    raise;
            end;

            -- The task belongs to the user that defined the round, not to the last reporter.
            update {{.P}}tasks t set t.enqueued_by = l_round.defined_by where t.task_id = l_task_id;

            update {{.P}}round_firings f
            set f.status = 'Started', f.task_id = l_task_id, f.ended_at = systimestamp at time zone '+00:00'
            where f.firing_id = l_firing_id;

            out_outcome := 'Started';
        else
            out_outcome := 'Starting';
            out_firing_id := l_firing_id;
        end if;

        commit write immediate wait;
    end record_report;
