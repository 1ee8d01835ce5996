    function next_instants (
        in_calendar in varchar2, in_zone in varchar2 default 'UTC', in_after in timestamp default null, in_count in number default 10,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null) return varchar2
    is
        l_at timestamp(6) := nvl(in_after, sys_extract_utc(systimestamp));
        l_begin timestamp(0) := nvl(sys_extract_utc(in_begin_at), l_at - interval '0.5' second);
        l_form varchar2(1000) := {{.P}}schedule.form_of(in_calendar, in_zone, l_begin);
        l_list varchar2(4000);
    begin
        {{.P}}base.need_whole('in_count', in_count, 1, 100);
        for i in 1 .. in_count loop
            l_at := {{.P}}schedule.next_instant(l_form, in_zone, l_begin, sys_extract_utc(in_end_at), l_at);
            exit when l_at is null;
            l_list := l_list || case when i > 1 then ',' end || chr(34) || to_char(l_at, 'YYYY-MM-DD') || 'T' || to_char(l_at, 'HH24:MI:SS') || chr(34);
        end loop;
        return '[' || l_list || chr(93);
    end next_instants;
