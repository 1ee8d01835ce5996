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
            {{.P}}base.fail(20055, 'in_successor_job is not a job name such as REPORT, APP.REPORT or "Report".');
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
        l_by varchar2(140) := {{.P}}rights.submitter;
        l_text boolean := nvl(length(ltrim(in_successor_sql, ' ' || chr(9) || chr(10) || chr(13))), 0) > 0;
        l_process_id number := nvl(in_process_id, 1);
        l_owner varchar2(128);
        l_job varchar2(128);
        l_sql clob;
        l_process {{.P}}processes%rowtype;
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
                    {{.P}}base.fail(20054, 'in_members contains "' || in_members(i) || '" twice; each name must occur once.');
                end if;
            end loop;
        end loop;

        {{.P}}base.need_whole('in_execution_order', in_execution_order, -2147483648);
        {{.P}}base.need_whole('in_max_age_seconds', in_max_age_seconds, 1, 31536000);
        {{.P}}base.need_whole('in_start_seconds', in_start_seconds, 1, 3600);

        if in_members.count > 0 then
            if (in_successor_job is not null) = l_text then
                {{.P}}base.fail(20055, 'pass either in_successor_job or in_successor_sql.');
            end if;

            if l_text then
                l_sql := in_successor_sql;
            else
{{- if .Runner}}
                if not {{.P}}rights.same_user(sys_context('USERENV', 'SESSION_USER'), {{.OwnerLit}}) then
                    {{.P}}base.fail(20056, 'only {{.Owner}} can define a round that starts a job, because it is started with its rights.');
                end if;
{{- end}}
                parse_job(in_successor_job, l_owner, l_job);
            end if;

            l_process := {{.P}}rights.process_of(l_process_id);
        end if;

        {{.P}}base.begin_transaction;

        for r in (select d.round_id, d.defined_by from {{.P}}rounds d where d.name = in_round for update wait 30) loop
            {{.P}}rights.require_owner(r.defined_by, 20053, 'round "' || in_round || '"');
            l_round_id := r.round_id;
        end loop;

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
                 systimestamp at time zone '+00:00', l_by, substrb(sys_context('USERENV', 'OS_USER'), 1, 128),
                 substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64));
        else
            -- If the members change, a new generation begins, because earlier reports were for other members. One that has fired stays.
            update {{.P}}rounds r
            set r.job_owner = l_owner, r.job_name = l_job, r.successor_sql = l_sql, r.successor_order = in_execution_order,
                r.successor_process_id = l_process_id, r.max_age_seconds = in_max_age_seconds, r.start_seconds = in_start_seconds,
                r.generation = r.generation + 1, r.defined_at = systimestamp at time zone '+00:00', r.defined_by = l_by,
                r.defined_by_os_user = substrb(sys_context('USERENV', 'OS_USER'), 1, 128),
                r.defined_by_client = substrb(sys_context('USERENV', 'CLIENT_IDENTIFIER'), 1, 64)
            where r.round_id = l_round_id;
        end if;

        for i in 1 .. in_members.count loop
            insert into {{.P}}round_members (round_id, member) values (l_round_id, in_members(i));
        end loop;

        commit write immediate wait;
    end define;
