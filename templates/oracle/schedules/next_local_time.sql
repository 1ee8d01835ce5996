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
