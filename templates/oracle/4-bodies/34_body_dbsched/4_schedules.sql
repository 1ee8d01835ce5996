    procedure create_schedule (
        in_name in varchar2,
        in_calendar in varchar2,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip',
        in_missed in varchar2 default 'Once',
        in_on_error in varchar2 default 'Halt',
        in_priority in number default 0,
        in_weight in number default 1,
        in_max_parallel in number default null,
        in_enabled in boolean default true)
    is
    begin
        {{.P}}schedule.store(in_name, in_calendar, in_sql, in_tasks, in_zone, in_overlap, in_missed, in_on_error, in_priority, in_weight, in_max_parallel,
                             case when in_enabled then 'Enabled' else 'Disabled' end);
    end create_schedule;

    procedure alter_schedule (
        in_name in varchar2,
        in_calendar in varchar2 default null,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default null,
        in_overlap in varchar2 default null,
        in_missed in varchar2 default null,
        in_on_error in varchar2 default null,
        in_priority in number default null,
        in_weight in number default null,
        in_max_parallel in number default null)
    is
    begin
        {{.P}}schedule.store(in_name, in_calendar, in_sql, in_tasks, in_zone, in_overlap, in_missed, in_on_error, in_priority, in_weight, in_max_parallel, null);
    end alter_schedule;

    procedure set_schedule_enabled (in_name in varchar2, in_enabled in boolean) is
    begin
        if in_enabled is null then
            {{.P}}base.fail(20003, 'in_enabled is NULL.');
        end if;
        {{.P}}schedule.order_schedule(in_name, case when in_enabled then 'Enable' else 'Disable' end);
    end set_schedule_enabled;

    procedure run_schedule (in_name in varchar2) is
    begin
        {{.P}}schedule.order_schedule(in_name, 'Run');
    end run_schedule;

    procedure drop_schedule (in_name in varchar2) is
    begin
        {{.P}}schedule.order_schedule(in_name, 'Drop');
    end drop_schedule;

    procedure run_firing (in_firing_id in number) is
    begin
        {{.P}}schedule.make_process(in_firing_id);
    end run_firing;

    function next_instants (in_calendar in varchar2, in_zone in varchar2 default 'UTC', in_after in timestamp default null, in_count in number default 10) return varchar2 is
        l_at timestamp(6) := nvl(in_after, sys_extract_utc(systimestamp));
        l_form varchar2(1000) := {{.P}}schedule.form_of(in_calendar, in_zone, l_at);
        l_list varchar2(4000);
    begin
        {{.P}}base.need_whole('in_count', in_count, 1, 100);
        for i in 1 .. in_count loop
            l_at := {{.P}}schedule.next_instant(l_form, in_zone, l_at);
            exit when l_at is null;
            l_list := l_list || case when i > 1 then ',' end || '"' || to_char(l_at, 'YYYY-MM-DD"T"HH24:MI:SS') || '"';
        end loop;
        return '[' || l_list || ']';
    end next_instants;

