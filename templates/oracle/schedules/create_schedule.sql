    procedure create_schedule (
        in_name in varchar2, in_calendar in varchar2, in_sql in clob default null, in_tasks in clob default null, in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip', in_missed in varchar2 default 'Once', in_on_error in varchar2 default 'Halt', in_weight in number default 1,
        in_max_parallel in number default null, in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null, in_end_at in timestamp with time zone default null)
    is
    begin
        alter_schedule(in_name, in_calendar, in_sql, in_tasks, in_zone, in_overlap, in_missed, in_on_error, in_weight, in_max_parallel, true,
                       in_enabled, in_begin_at, in_end_at);
    end create_schedule;
