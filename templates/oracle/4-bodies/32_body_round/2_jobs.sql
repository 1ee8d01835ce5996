    -- Withdraws reports that are older than the round allows, with an alarm if they were successes: another member has failed
    -- or has not reported. The caller holds the round's row.
    procedure forget_old_reports (in_round_id in number) is
        l_name varchar2(128 char);
        l_user varchar2(140);
        l_age number;
        l_cutoff timestamp with time zone;
        l_old varchar2(700);
        l_missing varchar2(700);
    begin
        select r.name, r.max_age_seconds, r.defined_by into l_name, l_age, l_user from {{.P}}rounds r where r.round_id = in_round_id;
        l_cutoff := {{.P}}base.utc_now - numtodsinterval(l_age, 'SECOND');

        -- Longer lists are cut off.
        for m in (select m.member, m.reported_at, m.succeeded from {{.P}}round_members m where m.round_id = in_round_id order by m.member) loop
            if m.reported_at is null or m.succeeded = 'N' then
                l_missing := substrb(l_missing || ', "' || m.member || '"', 1, 700);
            elsif m.reported_at < l_cutoff then
                l_old := substrb(l_old || ', "' || m.member || '"', 1, 700);
            end if;
        end loop;

        update {{.P}}round_members m
        set m.reported_at = null, m.succeeded = null
        where m.round_id = in_round_id and m.reported_at < l_cutoff;

        if l_old is not null then
            {{.P}}worker.alarm('RoundLate', 'Round "' || l_name || '" did not start its successor: more than ' || l_age || ' seconds after the success of ' || substr(l_old, 3)
                || ', no success was reported by ' || substr(l_missing, 3)
                || '. The old reports no longer count, so those members must run again, too.', in_user => l_user);
        end if;
    end forget_old_reports;

    -- Records the result of starting a job, with an alarm if it was not seen to run.
    procedure end_firing (in_firing_id in number, in_status in varchar2, in_detail in varchar2) is
    begin
        {{.P}}base.begin_transaction;

        update {{.P}}round_firings f
        set f.status = in_status, f.detail = substrb(in_detail, 1, 1300), f.ended_at = systimestamp at time zone '+00:00'
        where f.firing_id = in_firing_id and f.status = 'Starting';

        if sql%rowcount = 1 and in_status <> 'Started' then
            for r in (select d.name, d.defined_by, f.generation, f.job_owner, f.job_name
                      from {{.P}}round_firings f
                      inner join {{.P}}rounds d on d.round_id = f.round_id
                      where f.firing_id = in_firing_id)
            loop
                {{.P}}worker.alarm('RoundStart', 'Round "' || r.name || '", generation ' || r.generation || ': job "' || r.job_owner || '"."' || r.job_name
                    || case in_status when 'Failed' then '" was not started: ' else '" may not have started, and is not ordered again: ' end
                    || substrb(in_detail, 1, 1300), in_user => r.defined_by);
            end loop;
        end if;

        commit write immediate wait;
    end end_firing;

    -- Reads a job's state from the dictionary. A job of another schema is visible to users that can alter it.
    procedure look_at_job (in_owner in varchar2, in_name in varchar2, out_job out job_state) is
    begin
        select count(*), count(case when j.state = 'RUNNING' then 1 end), max(j.run_count), max(j.last_start_date)
        into out_job
        from all_scheduler_jobs j
        where j.owner = in_owner and j.job_name = in_name;
    end look_at_job;

    -- Whether the job of a firing has run since it was ordered: it runs, its run count is higher, or it is gone (auto_drop) and its
    -- log shows the run.
    function has_run (in_firing in {{.P}}round_firings%rowtype) return boolean is
        l_job job_state;
        l_logged pls_integer;
    begin
        look_at_job(in_firing.job_owner, in_firing.job_name, l_job);

        if l_job.jobs > 0 then
            return l_job.running > 0 or l_job.runs > in_firing.runs_before
                or (l_job.started_at is not null and in_firing.started_before is null) or l_job.started_at > in_firing.started_before;
        end if;

        select count(*) into l_logged
        from all_scheduler_job_run_details e
        where e.owner = in_firing.job_owner and e.job_name = in_firing.job_name and e.actual_start_date >= in_firing.ordered_at and rownum <= 1;

        return l_logged > 0;
    end has_run;

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

