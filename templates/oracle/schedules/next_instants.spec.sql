    -- Function: next_instants
    -- Purpose: The next instants of a calendar in a time zone, in UTC, as a JSON array like ["2026-01-31T01:00:00"].
    -- Parameters:
    --   in_calendar varchar2 (required): the calendar, see create_schedule
    --   in_zone varchar2 = 'UTC': its time zone
    --   in_after timestamp = null: list instants after this time, in UTC; NULL = now
    --   in_count number = 10: how many; 1 to 100
    --   in_begin_at timestamp with time zone = null: list none before it, and count intervals from it; NULL = in_after
    --   in_end_at timestamp with time zone = null: list none after it; NULL = without end
    -- Errors:
    --   20003: in_count is out of range
    --   20074: the calendar cannot be read, or never fires
    --   20075: there is no such time zone
    -- Example: select dbsched.next_instants('0 2 * * MON-FRI', 'Europe/Warsaw') from dual
    function next_instants (
        in_calendar in varchar2,
        in_zone in varchar2 default 'UTC',
        in_after in timestamp default null,
        in_count in number default 10,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null) return varchar2;
