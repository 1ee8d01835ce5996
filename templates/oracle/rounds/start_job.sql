    -- Orders the job of a firing, unless another session has. The intention is committed first: a session that finds it does not
    -- order the job again, but looks whether the job has run.
    procedure order_job (in_firing_id in number) is
        l_owner varchar2(128);
        l_name varchar2(128);
        l_job job_state;
    begin
        select max(f.job_owner), max(f.job_name) into l_owner, l_name
        from {{.P}}round_firings f
        where f.starting_id = in_firing_id and f.ordered_at is null;

        if l_name is null then
            return;
        end if;

        look_at_job(l_owner, l_name, l_job);

        if l_job.jobs = 0 or l_job.running > 0 then
            end_firing(in_firing_id, 'Failed', case when l_job.running > 0 then 'it was already running.'
                else 'there is no such job, or {{.Owner}} is not allowed to see it. If it exists, run: grant alter on "' || l_owner || '"."' || l_name
                    || '" to {{.Owner}}.' end);
            return;
        end if;

        {{.P}}base.begin_transaction;

        update {{.P}}round_firings f
        set f.ordered_at = systimestamp at time zone '+00:00', f.runs_before = l_job.runs, f.started_before = l_job.started_at at time zone '+00:00'
        where f.firing_id = in_firing_id and f.status = 'Starting' and f.ordered_at is null;

        if sql%rowcount = 0 then
            rollback;
            return;
        end if;

        commit write immediate wait;

        begin
            dbms_scheduler.run_job(job_name => '"' || l_owner || '"."' || l_name || '"', use_current_session => false);
        exception
            when {{.P}}base.e_running then
                end_firing(in_firing_id, 'Failed', 'it was already running.');
            -- 27475, 27476: it was dropped; 27486: missing right; 27492: the database does not start jobs now.
            when others then
                -- If this session is interrupted, its progress is unknown.
                if sqlcode = -1013 then
                    raise;
                end if;
                end_firing(in_firing_id, 'Failed', sqlerrm);
        end;
    end order_job;

    -- Checks whether the job of a firing has run and records it; after a while, records that it may not have run.
    procedure look (in_firing_id in number, in_patience in number, in_detail in varchar2) is
    begin
        for f in (select f.* from {{.P}}round_firings f where f.starting_id = in_firing_id and f.ordered_at is not null) loop
            if has_run(f) then
                end_firing(in_firing_id, 'Started', null);
            elsif systimestamp >= f.ordered_at + numtodsinterval(f.start_seconds + in_patience, 'SECOND') then
                end_firing(in_firing_id, 'Unknown', in_detail || 'it was ordered, but was not seen to run within ' || f.start_seconds || ' seconds. Check whether it ran; if not, start it.');
            end if;
        end loop;
    end look;
