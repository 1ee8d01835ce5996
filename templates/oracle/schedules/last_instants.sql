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
