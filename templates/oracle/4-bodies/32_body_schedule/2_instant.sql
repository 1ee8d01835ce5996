    -- Whole minutes from one time to another.
    function minutes_between (in_from in timestamp, in_to in timestamp) return number is
        l_ahead interval day(7) to second(6) := in_to - in_from;
    begin
        return extract(day from l_ahead) * 1440 + extract(hour from l_ahead) * 60 + extract(minute from l_ahead);
    end minutes_between;

    -- Minutes by which a time zone is ahead of UTC at an instant. From UTC to local time there is one answer; the way back raises ORA-01878 in
    -- the gap, and has two in the overlap, so next_instant derives it from these offsets.
    function zone_offset (in_zone in varchar2, in_at in timestamp) return number is
    begin
        return minutes_between(in_at, cast(from_tz(in_at, '+00:00') at time zone in_zone as timestamp));
    end zone_offset;

    function local_time (in_at in timestamp, in_zone in varchar2) return timestamp is
    begin
        return cast(from_tz(in_at, '+00:00') at time zone in_zone as timestamp);
    exception
        when others then
            return null;
    end local_time;

    function later (in_at in timestamp, in_minutes in number) return timestamp is
    begin
        return in_at + numtodsinterval(in_minutes, 'MINUTE');
    end later;

    -- The first local time of a calendar at or after another, whatever summer time does to it; NULL: none within forty years.
    function next_local_time (in_form in varchar2, in_from in timestamp) return timestamp is
        l_minutes varchar2(60) := substr(in_form, 3, 60);
        l_hours varchar2(24) := substr(in_form, 63, 24);
        l_hour pls_integer := extract(hour from in_from);
        l_minute pls_integer := 0;
        l_month date := trunc(cast(in_from as date), 'MM');
        l_first pls_integer := extract(day from in_from);
        l_last pls_integer;
        l_weekday pls_integer;
        l_matches pls_integer;
        l_day date;
    begin
        -- The time of day: in this hour, or else in a later one.
        if substr(l_hours, l_hour + 1, 1) = '1' then
            l_minute := instr(l_minutes, '1', extract(minute from in_from) + 1);
        end if;
        if l_minute = 0 then
            l_hour := instr(l_hours, '1', l_hour + 2) - 1;
            l_minute := instr(l_minutes, '1');
        end if;
        if l_hour < 0 then
            l_first := l_first + 1;
        end if;
        for i in 1 .. 480 loop
            l_last := extract(day from last_day(l_month));
            for d in l_first .. l_last loop
                -- 1900-01-07 was a Sunday.
                l_weekday := mod(l_month - date '1900-01-07' + d - 1, 7);
                l_matches := case when substr(in_form, 86 + d, 1) = '1' or (d = l_last and substr(in_form, 118, 1) = '1') then 1 else 0 end
                           + case when substr(in_form, 131 + l_weekday, 1) = '1' or substr(in_form, 138 + trunc((d - 1) / 7) * 7 + l_weekday, 1) = '1' then 1 else 0 end;
                if l_matches >= case substr(in_form, 2, 1) when 'A' then 2 else 1 end and substr(in_form, 118 + extract(month from l_month), 1) = '1' then
                    l_day := l_month + d - 1;
                    exit;
                end if;
            end loop;
            exit when l_day is not null;
            l_month := add_months(l_month, 1);
            l_first := 1;
        end loop;

        -- On another day, the first time of the day.
        if l_day > trunc(cast(in_from as date)) then
            l_hour := instr(l_hours, '1') - 1;
            l_minute := instr(l_minutes, '1');
        end if;
        return later(cast(l_day as timestamp), l_hour * 60 + l_minute - 1);
    end next_local_time;

    function next_instant (in_form in varchar2, in_zone in varchar2, in_begin in timestamp, in_end in timestamp,
                           in_after in timestamp) return timestamp is
        l_after timestamp(6) := greatest(in_after, in_begin - interval '1' second);
        l_from timestamp(0) := l_after + numtodsinterval(60 - extract(second from l_after), 'SECOND');
        l_local timestamp(0);
        l_at timestamp(0);
        l_ahead timestamp(0);
        l_middle timestamp(0);
        l_offset number;
        l_moved number;
        l_step number;
        l_next timestamp with time zone;

        function unless_ended (in_at in timestamp) return timestamp is
        begin
            return case when in_at <= nvl(in_end, in_at) then in_at end;
        end unless_ended;
    begin
        if substr(in_form, 1, 1) = 'E' then
            l_step := to_number(substr(in_form, 2));
            return unless_ended(case when l_after < in_begin then in_begin
                else later(in_begin, (trunc(minutes_between(in_begin, l_after) / l_step) + 1) * l_step) end);
        elsif substr(in_form, 1, 1) = 'S' then
            dbms_scheduler.evaluate_calendar_string(
                calendar_string => substr(in_form, 2),
                start_date => from_tz(in_begin, '+00:00') at time zone in_zone,
                return_date_after => from_tz(l_after, '+00:00') at time zone in_zone,
                next_run_date => l_next);
            return unless_ended(sys_extract_utc(l_next));
        end if;
        l_offset := zone_offset(in_zone, l_from);
        -- The clocks were set back a moment ago: which local times have fired already?
        if substr(in_form, 1, 1) = 'F' and zone_offset(in_zone, later(l_from, -1440)) > l_offset then
            l_from := later(l_from, -1440);
            l_offset := zone_offset(in_zone, l_from);
        end if;
        loop
            l_local := next_local_time(in_form, later(l_from, l_offset));
            if l_local is null then
                return null;
            end if;

            -- Does the offset change before that, within a day?
            l_at := later(l_local, -l_offset);
            l_ahead := least(l_at, later(l_from, 1440));
            l_moved := zone_offset(in_zone, l_ahead) - l_offset;
            if l_moved = 0 and l_at = l_ahead and l_at > l_after then
                return unless_ended(l_at);
            elsif l_moved = 0 then
                -- No local time before it matches: go on a day before it.
                l_from := case when l_at = l_ahead then later(l_at, 1) else greatest(l_ahead, later(l_at, -1440)) end;
            else
                -- l_ahead becomes the first minute with the new offset.
                while l_ahead > later(l_from, 1) loop
                    l_middle := l_from + numtodsinterval(trunc((cast(l_ahead as date) - cast(l_from as date)) * 720 + 0.01), 'MINUTE');
                    if zone_offset(in_zone, l_middle) = l_offset then
                        l_from := l_middle;
                    else
                        l_ahead := l_middle;
                    end if;
                end loop;

                -- Set forward past the local time.
                if substr(in_form, 1, 1) = 'F' and l_local < later(l_ahead, l_offset + l_moved) and l_ahead > l_after then
                    return unless_ended(l_ahead);
                end if;
                -- Set back: local times that come again do not count.
                l_from := later(l_ahead, case when substr(in_form, 1, 1) = 'F' then greatest(0, -l_moved) else 0 end);
            end if;
            l_offset := zone_offset(in_zone, l_from);
        end loop;
    end next_instant;

    -- The earliest time, from in_from, after which a schedule has at most in_most instants until in_now, however many came before: a search in
    -- halves.
    function last_instants (in_row in {{.P}}schedules%rowtype, in_from in timestamp, in_now in timestamp,
                            in_most in pls_integer) return timestamp is
        l_from timestamp(0) := in_from;
        l_until timestamp(0) := in_now;
        l_middle timestamp(0);
        l_at timestamp(0);
        l_count pls_integer;
    begin
        while l_from < l_until loop
            l_middle := l_from + numtodsinterval(trunc((cast(l_until as date) - cast(l_from as date)) * 43200 + 0.01), 'SECOND');
            l_at := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_middle);
            l_count := 0;
            while l_at <= in_now and l_count < in_most loop
                l_at := next_instant(in_row.form, in_row.zone, in_row.begin_at, in_row.end_at, l_at);
                l_count := l_count + 1;
            end loop;
            if l_at <= in_now then
                l_from := l_middle + interval '1' second;
            else
                l_until := l_middle;
            end if;
        end loop;
        return l_from;
    end last_instants;

