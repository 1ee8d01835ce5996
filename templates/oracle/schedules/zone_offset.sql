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
