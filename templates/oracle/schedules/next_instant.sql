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
