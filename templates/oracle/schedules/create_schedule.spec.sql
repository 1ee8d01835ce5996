    -- Procedure: create_schedule
    -- Purpose: Creates a schedule: at each instant of its calendar it makes a process, named after it and the local time, with the given
    -- tasks, as tasks of the user who created it.
    -- Parameters:
    --   in_name varchar2 (required): its name, at most 100 characters
    --   in_calendar varchar2 (required): five fields as in cron: minute, hour, day of the month (also L, the last), month, day of the week
    --       (also 5#2, the second Friday), with lists, ranges, steps and English names; or @hourly, @daily, @weekly, @monthly, @yearly;
    --       or every N minutes, hours or days; or a calendar string of DBMS_SCHEDULER, whose own rules count then
    --   in_sql clob = null: its only task: SQL statement or PL/SQL block; or
    --   in_tasks clob = null: its tasks, as for exec_async_batch, without process_id and not_before
    --   in_zone varchar2 = 'UTC': time zone of the calendar, a name in V$TIMEZONE_NAMES
    --   in_overlap varchar2 = 'Skip': if its last process still runs: Skip the firing, Queue it (at most one waits) or Allow both
    --   in_missed varchar2 = 'Once': firings missed while the scheduler was stopped or down, or the schedule was not enabled: Once fires the last
    --       for all, None fires none, All fires the last 100, the oldest first
    --   in_on_error varchar2 = 'Halt': see create_process
    --   in_weight number = 1: see create_process
    --   in_max_parallel number = null: see create_process
    --   in_enabled boolean = true: false = it fires only after set_schedule_enabled
    --   in_begin_at timestamp with time zone = null: no firing before it; every N minutes, hours or days, and what a calendar string
    --       takes from its start date, is counted from it, even if it lies in the past; NULL = now
    --   in_end_at timestamp with time zone = null: no firing after it; NULL = without end
    -- Errors: those of alter_schedule but 20071
    -- Example: dbsched.create_schedule('weekly load', '0 2 * * SUN', in_sql => 'begin load; end;', in_zone => 'Europe/Warsaw');
    procedure create_schedule (
        in_name in varchar2,
        in_calendar in varchar2,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default 'UTC',
        in_overlap in varchar2 default 'Skip',
        in_missed in varchar2 default 'Once',
        in_on_error in varchar2 default 'Halt',
        in_weight in number default 1,
        in_max_parallel in number default null,
        in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null);
