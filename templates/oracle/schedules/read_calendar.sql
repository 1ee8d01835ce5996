    procedure refuse_calendar (in_calendar in varchar2, in_problem in varchar2) is
    begin
        {{.P}}base.fail(20074, 'the calendar "' || substrb(in_calendar, 1, 400) || '" cannot be read: ' || in_problem || '.');
    end refuse_calendar;

    -- One number of a field, or the name of one: in_names has the names, three letters each, of the numbers from in_first. NULL: neither.
    function read_number (in_text in varchar2, in_names in varchar2, in_first in number) return number is
        l_at number := instr(in_names, in_text);
    begin
        return case when length(in_text) <= 2 and ltrim(in_text, '0123456789') is null then to_number(in_text)
                    when length(in_text) = 3 and mod(l_at, 3) = 1 then trunc(l_at / 3) + in_first end;
    end read_number;

    -- Takes the first part of a text, up to a character, away from it.
    procedure take (io_text in out varchar2, in_end in varchar2, out_part out varchar2) is
        l_at pls_integer := instr(io_text || in_end, in_end);
    begin
        out_part := substr(io_text, 1, l_at - 1);
        io_text := ltrim(substr(io_text, l_at + 1));
    end take;

    -- One field of five.
    function read_field (in_calendar in varchar2, in_field in pls_integer, in_word in varchar2) return varchar2 is
        l_word varchar2(201 char) := in_word || ',';
        l_low number := case when in_field in (3, 4) then 1 else 0 end;
        l_high number := case in_field when 1 then 59 when 2 then 23 when 3 then 31 when 4 then 12 else 7 end;
        l_names varchar2(40) := case in_field when 4 then 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC' when 5 then 'SUNMONTUEWEDTHUFRISAT' end;
        l_what varchar2(30) := case in_field when 1 then 'minute' when 2 then 'hour' when 3 then 'day of the month' when 4 then 'month' else 'day of the week' end;
        l_map varchar2(60) := rpad('0', case in_field when 1 then 60 when 2 then 24 when 3 then 32 when 4 then 12 else 42 end, '0');
        l_part varchar2(200 char);
        l_range varchar2(200 char);
        l_from number;
        l_to number;
        l_step number;
        l_week number;
        l_at pls_integer;
    begin
        if in_word is null then
            refuse_calendar(in_calendar, 'field ' || in_field || ' of 5 (' || l_what || ') is missing');
        end if;
        while l_word is not null loop
            take(l_word, ',', l_part);
            l_range := l_part;
            l_step := 1;
            l_week := 0;

            -- 5#2: the second Friday. A step follows * or a range.
            if in_field = 5 and l_part like '_%#_' and instr('12345', substr(l_part, -1)) > 0 then
                l_week := to_number(substr(l_part, -1));
                l_range := substr(l_part, 1, length(l_part) - 2);
            elsif l_part like '*/%' or l_part like '%-%/%' then
                l_range := substr(l_part, 1, instr(l_part, '/') - 1);
                l_step := read_number(substr(l_part, instr(l_part, '/') + 1), null, 0);
            end if;
            if l_range = '*' then
                l_from := l_low;
                l_to := case in_field when 5 then 6 else l_high end;
            else
                l_from := read_number(substr(l_range, 1, instr(l_range || '-', '-') - 1), l_names, l_low);
                l_to := read_number(substr(l_range, instr(l_range, '-') + 1), l_names, l_low);
                -- FRI-SUN
                l_to := case when in_field = 5 and l_to = 0 and l_from > 0 then 7 else l_to end;
            end if;
            if in_field = 3 and l_part = 'L' then
                l_from := 32;
                l_to := 32;
            elsif l_from is null or l_to is null or nvl(l_step, 0) = 0 or l_from < l_low or l_from > l_to or l_to > l_high or (l_week > 0 and l_from <> l_to) then
                refuse_calendar(in_calendar, 'field ' || in_field || ' (' || l_what || '), "' || l_part || '": it must be from ' || l_low || ' to ' || l_high
                    || case in_field when 3 then ' or L' when 4 then ' or JAN to DEC' when 5 then ', SUN to SAT, or one of these with #1 to #5' end
                    || '; also a range 1-5, or a range or * with a step */2');
            end if;
            while l_from <= l_to loop
                l_at := case in_field when 5 then mod(l_from, 7) + 7 * l_week else l_from - l_low end;
                l_map := substr(l_map, 1, l_at) || '1' || substr(l_map, l_at + 2);
                l_from := l_from + l_step;
            end loop;
        end loop;
        return l_map;
    end read_field;

    function form_of (in_calendar in varchar2, in_zone in varchar2, in_from in timestamp) return varchar2 is
        l_text varchar2(200 char) := trim(translate(upper(substr(in_calendar, 1, 200)), chr(9) || chr(10) || chr(13), '   '));
        l_form varchar2(1000);
        l_part varchar2(200 char);
        l_kind varchar2(1) := 'F';
        l_rule varchar2(1) := 'O';
        l_step number;
        l_next timestamp(0);
    begin
        begin
            l_next := cast(from_tz(in_from, '+00:00') at time zone in_zone as timestamp);
        exception
            when others then
                {{.P}}base.fail(20075, 'there is no time zone "' || substrb(in_zone, 1, 100) || '": ' || sqlerrm || '. See V$TIMEZONE_NAMES.');
        end;
        if l_text is null or length(in_calendar) > 200 then
            refuse_calendar(in_calendar, 'it must have 1 to 200 characters');
        end if;
        if l_text like 'EVERY %' then
            take(l_text, ' ', l_part);
            l_part := '1';
            if instr('0123456789', substr(l_text, 1, 1)) > 0 then
                take(l_text, ' ', l_part);
            end if;
            l_step := case when length(l_part) <= 6 and ltrim(l_part, '0123456789') is null then to_number(l_part) end
                    * case when l_text in ('MINUTE', 'MINUTES') then 1 when l_text in ('HOUR', 'HOURS') then 60
                           when l_text in ('DAY', 'DAYS') then 1440 end;
            if nvl(l_step, 0) not between 1 and 527040 then
                refuse_calendar(in_calendar, 'after every must come a number of minutes, hours or days, from 1 minute to 366 days');
            end if;
            return 'E' || l_step;
        end if;
        if instr(l_text, '=') > 0 then
            l_form := 'S' || in_calendar;
        else
            if substr(l_text, 1, 1) = '@' then
                l_text := case l_text when '@YEARLY' then '0 0 1 1 *' when '@ANNUALLY' then '0 0 1 1 *' when '@MONTHLY' then '0 0 1 * *' when '@WEEKLY' then '0 0 * * 0'
                                      when '@DAILY' then '0 0 * * *' when '@MIDNIGHT' then '0 0 * * *' when '@HOURLY' then '0 * * * *' end;
                if l_text is null then
                    refuse_calendar(in_calendar, 'of the names with @ there are yearly, annually, monthly, weekly, daily, midnight and hourly');
                end if;
            end if;
            for i in 1 .. 5 loop
                take(l_text, ' ', l_part);
                -- As in Vixie's cron, */2 counts as a star: days and weekdays must both match.
                if l_part like '*%' and i <= 2 then
                    l_kind := 'W';
                elsif l_part like '*%' and i in (3, 5) then
                    l_rule := 'A';
                end if;
                l_form := l_form || read_field(in_calendar, i, l_part);
            end loop;
            if l_text is not null then
                refuse_calendar(in_calendar, 'after field 5 comes "' || l_text || '", but there are only five fields');
            end if;
            l_form := l_kind || l_rule || l_form;
        end if;
        begin
            l_next := next_instant(l_form, in_zone, in_from, null, in_from);
        exception
            when others then
                refuse_calendar(in_calendar, sqlerrm);
        end;
        if l_next is null then
            refuse_calendar(in_calendar, 'it never fires: no such day exists');
        end if;
        return l_form;
    end form_of;
