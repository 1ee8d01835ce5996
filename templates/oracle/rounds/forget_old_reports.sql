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
