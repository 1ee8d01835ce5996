create or replace package body {{.P}}round as
    -- How a job is in the dictionary: whether it is there, and runs; its runs so far, and when the last one began.
    type job_state is record (jobs pls_integer, running pls_integer, runs number, started_at timestamp with time zone);

    -- Schema and name of a job, spelled as DBMS_SCHEDULER takes them.
    procedure parse_job (in_job in varchar2, out_owner out varchar2, out_name out varchar2) is
        l_first varchar2(4000);
        l_second varchar2(4000);
        l_third varchar2(4000);
        l_link varchar2(4000);
        l_end pls_integer;
        l_bad boolean := false;
    begin
        begin
            dbms_utility.name_tokenize(in_job, l_first, l_second, l_third, l_link, l_end);
        exception
            when others then
                l_bad := true;
        end;

        if l_bad or l_third is not null or l_link is not null or l_end < lengthb(in_job) or lengthb(l_first) > 128 or lengthb(l_second) > 128 then
            {{.P}}base.fail(20055, 'in_successor_job is no name of a job, like REPORT, APP.REPORT or "Report".');
        end if;

        out_owner := case when l_second is null then {{.OwnerLit}} else l_first end;
        out_name := nvl(l_second, l_first);
    end parse_job;

    procedure define (
        in_round in varchar2,
        in_members in t_names,
        in_successor_job in varchar2,
        in_successor_sql in clob,
        in_execution_order in number,
        in_process_id in number,
        in_max_age_seconds in number,
        in_start_seconds in number)
    is
        l_by varchar2(128) := {{.P}}rights.submitter;
        l_text boolean := nvl(length(ltrim(in_successor_sql, ' ' || chr(9) || chr(10) || chr(13))), 0) > 0;
        l_process_id number := nvl(in_process_id, 1);
        l_owner varchar2(128);
        l_job varchar2(128);
        l_sql clob;
        l_creator varchar2(128);
        l_defined_by varchar2(128);
        l_round_id number;
    begin
        if in_round is null or length(in_round) > 128 then
            {{.P}}base.fail(20050, 'in_round is NULL, empty or longer than 128 characters.');
        end if;

        if in_members is null then
            {{.P}}base.fail(20054, 'in_members is NULL; an empty list removes the round.');
        end if;

        for i in 1 .. in_members.count loop
            if in_members(i) is null or length(in_members(i)) > 128 then
                {{.P}}base.fail(20054, 'in_members must be names of 1 to 128 characters.');
            end if;

            for j in 1 .. i - 1 loop
                if in_members(j) = in_members(i) then
                    {{.P}}base.fail(20054, 'in_members must have each name once, and "' || in_members(i) || '" is there twice.');
                end if;
            end loop;
        end loop;

        {{.P}}base.need_whole('in_execution_order', in_execution_order, -2147483648);
        {{.P}}base.need_whole('in_max_age_seconds', in_max_age_seconds, 1, 31536000);
        {{.P}}base.need_whole('in_start_seconds', in_start_seconds, 1, 3600);

        if in_members.count > 0 then
            if (in_successor_job is not null) = l_text then
                {{.P}}base.fail(20055, 'give either in_successor_job or in_successor_sql.');
            end if;

            if l_text then
                l_sql := in_successor_sql;
            else
                if not {{.P}}rights.may_administer then
                    {{.P}}base.fail(20056, 'only an administrator may have a job started: it is started with the rights of {{.Owner}}.');
                end if;

                parse_job(in_successor_job, l_owner, l_job);
            end if;

            select max(p.created_by) into l_creator from {{.P}}processes p where p.process_id = l_process_id;

            if l_creator is null then
                {{.P}}base.fail(20004, 'there is no process ' || l_process_id || '.');
            end if;

            if l_process_id <> 1 then
                {{.P}}rights.require_owner(l_creator, 20006, 'process ' || l_process_id);
            end if;
        end if;

        {{.P}}base.begin_transaction;

        begin
            select r.round_id, r.defined_by into l_round_id, l_defined_by
            from {{.P}}rounds r
            where r.name = in_round
            for update wait 30;

            {{.P}}rights.require_owner(l_defined_by, 20053, 'round "' || in_round || '"');
        exception
            when no_data_found then
                null;
        end;

        delete from {{.P}}round_members m where m.round_id = l_round_id;

        if in_members.count = 0 then
            delete from {{.P}}round_firings f where f.round_id = l_round_id;
            delete from {{.P}}rounds r where r.round_id = l_round_id;
        elsif l_round_id is null then
            l_round_id := {{.P}}round_seq.nextval;

            insert into {{.P}}rounds
                (round_id, name, job_owner, job_name, successor_sql, successor_order, successor_process_id, max_age_seconds, start_seconds,
                 defined_at, defined_by, defined_by_os_user, defined_by_client)
            values
                (l_round_id, in_round, l_owner, l_job, l_sql, in_execution_order, l_process_id, in_max_age_seconds, in_start_seconds,
                 systimestamp at time zone 'UTC', l_by, substrb(sys_context('USERENV', 'OS_USER'), 1, 128), substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
        else
            -- A generation whose members have changed is not the one that some of them reported to. One that has fired stays.
            update {{.P}}rounds r
            set r.job_owner = l_owner, r.job_name = l_job, r.successor_sql = l_sql, r.successor_order = in_execution_order,
                r.successor_process_id = l_process_id, r.max_age_seconds = in_max_age_seconds, r.start_seconds = in_start_seconds,
                r.generation = r.generation + 1, r.defined_at = systimestamp at time zone 'UTC', r.defined_by = l_by,
                r.defined_by_os_user = substrb(sys_context('USERENV', 'OS_USER'), 1, 128),
                r.defined_by_client = substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64)
            where r.round_id = l_round_id;
        end if;

        for i in 1 .. in_members.count loop
            insert into {{.P}}round_members (round_id, member) values (l_round_id, in_members(i));
        end loop;

        commit write immediate wait;
    end define;

    -- Takes back the reports of a round's members that are older than the round allows, with an alarm if they were good ones:
    -- somebody else has failed, or has not reported. The caller holds the round's row.
    procedure forget_old_reports (in_round_id in number) is
        l_name varchar2(128 char);
        l_age number;
        l_cutoff timestamp with time zone;
        l_old varchar2(700);
        l_missing varchar2(700);
    begin
        select r.name, r.max_age_seconds into l_name, l_age from {{.P}}rounds r where r.round_id = in_round_id;
        l_cutoff := {{.P}}base.utc_now - numtodsinterval(l_age, 'SECOND');

        -- The lists end by themselves when they are longer.
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
            {{.P}}worker.alarm('RoundLate', 'Round "' || l_name || '" started nothing: more than ' || l_age || ' seconds after the success of ' || substr(l_old, 3)
                || ' no success was reported of ' || substr(l_missing, 3) || '. The old reports do not count any more; those members have to run again, too.');
        end if;
    end forget_old_reports;

    -- Records what became of the start of a job, with an alarm if it was not seen to run.
    procedure end_firing (in_firing_id in number, in_status in varchar2, in_detail in varchar2) is
    begin
        {{.P}}base.begin_transaction;

        update {{.P}}round_firings f
        set f.status = in_status, f.detail = substrb(in_detail, 1, 1300), f.ended_at = systimestamp at time zone 'UTC'
        where f.firing_id = in_firing_id and f.status = 'Starting';

        if sql%rowcount = 1 and in_status <> 'Started' then
            for r in (select d.name, f.generation, f.job_owner, f.job_name
                      from {{.P}}round_firings f
                      inner join {{.P}}rounds d on d.round_id = f.round_id
                      where f.firing_id = in_firing_id)
            loop
                {{.P}}worker.alarm('RoundStart', 'Round "' || r.name || '", generation ' || r.generation || ': job "' || r.job_owner || '"."' || r.job_name
                    || case in_status when 'Failed' then '" was not started: ' else '" may not have started, and is not ordered again: ' end || substrb(in_detail, 1, 1300));
            end loop;
        end if;

        commit write immediate wait;
    end end_firing;

    -- Reads in the dictionary how a job is. A job of another schema is seen by who may alter it.
    procedure look_at_job (in_owner in varchar2, in_name in varchar2, out_job out job_state) is
    begin
        select count(*), count(case when j.state = 'RUNNING' then 1 end), max(j.run_count), max(j.last_start_date)
        into out_job
        from all_scheduler_jobs j
        where j.owner = in_owner and j.job_name = in_name;
    end look_at_job;

    -- Whether the job of a firing has run since it was ordered: it runs, it has run once more, or it is gone, as jobs are that run
    -- once (auto_drop), and its log tells.
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

    -- Orders the job of a firing, unless somebody has. That it is ordered next is committed before it is: whoever finds it
    -- written does not order again, and what became of the order is then asked of the job itself.
    procedure order_job (in_firing_id in number) is
        l_owner varchar2(128);
        l_name varchar2(128);
        l_job job_state;
        l_text varchar2(1300);
    begin
        select max(f.job_owner), max(f.job_name) into l_owner, l_name
        from {{.P}}round_firings f
        where f.starting_id = in_firing_id and f.ordered_at is null;

        if l_name is null then
            return;
        end if;

        look_at_job(l_owner, l_name, l_job);

        if l_job.jobs = 0 then
            end_firing(in_firing_id, 'Failed', 'there is no such job that {{.Owner}} may start. If there is one: grant alter on "' || l_owner || '"."' || l_name || '" to {{.Owner}}.');
            return;
        elsif l_job.running > 0 then
            end_firing(in_firing_id, 'Failed', 'it was running already.');
            return;
        end if;

        {{.P}}base.begin_transaction;

        update {{.P}}round_firings f
        set f.ordered_at = systimestamp at time zone 'UTC', f.runs_before = l_job.runs, f.started_before = l_job.started_at
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
                end_firing(in_firing_id, 'Failed', 'it was running already.');
            -- 27475, 27476: it was dropped; 27486: no right to; 27492: the database starts no jobs now.
            when others then
                -- Whoever interrupts this session does not know how far it has come.
                if sqlcode = -1013 then
                    raise;
                end if;
                l_text := substrb(sqlerrm, 1, 1300);
                end_firing(in_firing_id, 'Failed', l_text);
        end;
    end order_job;

    -- Looks whether the job of a firing has run, and says so in the firing; after a while, that it may not have.
    procedure look (in_firing_id in number, in_patience in number, in_detail in varchar2) is
    begin
        for f in (select f.* from {{.P}}round_firings f where f.starting_id = in_firing_id and f.ordered_at is not null) loop
            if has_run(f) then
                end_firing(in_firing_id, 'Started', null);
            elsif systimestamp >= f.ordered_at + numtodsinterval(f.start_seconds + in_patience, 'SECOND') then
                end_firing(in_firing_id, 'Unknown', in_detail || 'it was ordered, and was not seen to run within ' || f.start_seconds || ' seconds. Look whether it ran; if not, start it.');
            end if;
        end loop;
    end look;

    -- Records the report; out_firing_id is set if a job is to be started now.
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
    begin
        {{.P}}base.begin_transaction;

        -- Reports of a round come one after the other, so that two members that are the last at the same instant are not.
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
        set m.reported_at = systimestamp at time zone 'UTC', m.succeeded = in_succeeded
        where m.round_id = l_round.round_id and m.member = in_member;

        if sql%rowcount = 0 then
            {{.P}}base.fail(20052, 'round "' || in_round || '" has no member "' || in_member || '".');
        end if;

        if in_succeeded = 'N' then
            out_outcome := 'Reported';
            {{.P}}worker.alarm('RoundFailed', 'Round "' || in_round || '" starts nothing: its member "' || in_member || '" has failed. It may run again and report success.');
            commit write immediate wait;
            return;
        end if;

        -- Another statement than the one that waited for the row: it sees what the last holder has committed.
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
        values (l_firing_id, l_round.round_id, l_round.generation, systimestamp at time zone 'UTC', in_member, l_round.job_owner, l_round.job_name, l_round.start_seconds);

        update {{.P}}rounds r set r.generation = r.generation + 1 where r.round_id = l_round.round_id;
        update {{.P}}round_members m set m.reported_at = null, m.succeeded = null where m.round_id = l_round.round_id;

        if l_round.job_name is null then
            begin
                dbsched.exec_async(in_sql => l_round.successor_sql, in_execution_order => l_round.successor_order, in_process_id => l_round.successor_process_id, out_task_id => l_task_id);
            exception
                when others then
                    l_error := substrb(sqlerrm, 1, 1000);
                    rollback;
                    {{.P}}worker.alarm('RoundStart', 'Round "' || in_round || '": the last report, of member "' || in_member
                        || '", was taken back, since the task cannot be enqueued: ' || l_error);
                    commit write immediate wait;
                    raise;
            end;

            -- It is the task of who defined the round, whoever has reported last.
            update {{.P}}tasks t set t.enqueued_by = l_round.defined_by where t.task_id = l_task_id;

            update {{.P}}round_firings f
            set f.status = 'Started', f.task_id = l_task_id, f.ended_at = systimestamp at time zone 'UTC'
            where f.firing_id = l_firing_id;

            out_outcome := 'Started';
        else
            out_outcome := 'Starting';
            out_firing_id := l_firing_id;
        end if;

        commit write immediate wait;
    end record_report;

    procedure report (
        in_round in varchar2,
        in_member in varchar2,
        in_succeeded in boolean,
        out_outcome out varchar2)
    is
        l_firing_id number;
    begin
        if in_round is null or in_member is null then
            {{.P}}base.fail(20050, 'in_round or in_member is NULL.');
        end if;

        if in_succeeded is null then
            {{.P}}base.fail(20003, 'in_succeeded must be true or false.');
        end if;

        record_report(in_round, in_member, case when in_succeeded then 'Y' else 'N' end, out_outcome, l_firing_id);

        if out_outcome <> 'Starting' then
            return;
        end if;

        order_job(l_firing_id);

        loop
            {{.P}}base.begin_transaction;
            look(l_firing_id, 0, null);
            -- NULL: the round was removed meanwhile.
            select nvl(max(f.status), 'Unknown') into out_outcome from {{.P}}round_firings f where f.firing_id = l_firing_id;
            exit when out_outcome <> 'Starting';
            dbms_session.sleep(0.5);
        end loop;

        rollback;
    end report;

    procedure sweep is
        l_retention number;
        l_cutoff timestamp with time zone;
        l_abandoned timestamp with time zone := {{.P}}base.utc_now - interval '30' second;
        l_last number := 0;
        l_id number;
    begin
        loop
            select min(m.reported_round_id) into l_id from {{.P}}round_members m where m.reported_round_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            {{.P}}base.begin_transaction;
            select max(r.round_id) into l_id from {{.P}}rounds r where r.round_id = l_last;

            if l_id is not null then
                select r.round_id into l_id from {{.P}}rounds r where r.round_id = l_last for update wait 10;
                forget_old_reports(l_id);
            end if;

            commit write immediate wait;
        end loop;

        l_last := 0;
        loop
            select min(f.starting_id) into l_id from {{.P}}round_firings f where f.starting_id > l_last;
            exit when l_id is null;
            l_last := l_id;

            -- Its reporter orders it within an instant, if it lives.
            for f in (select f.firing_id from {{.P}}round_firings f where f.starting_id = l_last and f.ordered_at is null and f.fired_at < l_abandoned) loop
                order_job(f.firing_id);
            end loop;

            look(l_last, 30, 'its last member reported, and ended before it had seen the job run; ');
        end loop;

        select s.retention_days into l_retention from {{.P}}settings s where s.settings_id = 1;
        l_cutoff := {{.P}}base.utc_now - numtodsinterval(l_retention, 'DAY');

        delete from {{.P}}round_firings f
        where f.fired_at < l_cutoff and f.status <> 'Starting' and rownum <= 500
          and exists (select 1 from {{.P}}round_firings n where n.round_id = f.round_id and n.generation > f.generation);

        commit write immediate wait;
    end sweep;
end {{.P}}round;
