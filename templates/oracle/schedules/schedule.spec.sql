    -- Package: {{.PU}}SCHEDULE
    -- Purpose: Schedules: their calendars, and what becomes of each instant.
    -- Access: private

    -- Function: next_instant
    -- Purpose: The first instant of a calendar after another; NULL = none. It goes through the stretches of time in which the zone's offset is
    -- constant. If neither minute nor hour begin with *, a local time that exists twice counts the first time only, and one that does not exist is
    -- the instant at which the clocks are set forward; else every instant counts whose local time matches.
    -- Parameters:
    --   in_form varchar2 (required): the calendar, as form_of returns it
    --   in_zone varchar2 (required): its time zone
    --   in_begin timestamp (required): no instant is before it, and intervals are counted from it, in UTC
    --   in_end timestamp (required): no instant is after it, in UTC; NULL = without end
    --   in_after timestamp (required): an instant, in UTC
    function next_instant (in_form in varchar2, in_zone in varchar2, in_begin in timestamp, in_end in timestamp,
                           in_after in timestamp) return timestamp;

    -- Function: local_time
    -- Purpose: The local time in a time zone at an instant; NULL = the database does not know the zone.
    -- Parameters:
    --   in_at timestamp (required): the instant, in UTC
    --   in_zone varchar2 (required): the time zone
    function local_time (in_at in timestamp, in_zone in varchar2) return timestamp;

    -- Function: form_of
    -- Purpose: Reads a calendar and checks its time zone. Returns the form that next_instant reads: E and an interval in minutes; S and
    -- a calendar string of DBMS_SCHEDULER; or 172 characters:
    --   1: W = every instant that matches fires, because minute or hour begin with *; F = a local time fires once
    --   2: A = the day of the month and the day of the week must match; O = one of them is enough
    --   3 minutes (60), 63 hours (24), 87 days of the month (31 and the last), 119 months (12), 131 days of the week (7, from Sunday), then
    --   138 the same of the first week of the month (7) to the fifth: 1 = it is in the calendar, 0 = it is not
    -- Parameters:
    --   in_calendar varchar2 (required): the calendar
    --   in_zone varchar2 (required): its time zone
    --   in_from timestamp (required): the time from which it must fire, in UTC
    -- Errors:
    --   20074: the calendar cannot be read, or never fires
    --   20075: there is no such time zone
    function form_of (in_calendar in varchar2, in_zone in varchar2, in_from in timestamp) return varchar2;

    -- Procedure: fire
    -- Purpose: Moves on the schedules that are due, in slices: records the instants that have come, decides what becomes of each, and starts
    -- what may start. To start a firing is to enqueue a task, in process 0, that makes the firing's process. What happens to a schedule is
    -- one transaction with its next instant, so no crash loses or doubles a firing.
    procedure fire;

    -- Procedure: next_firing
    -- Purpose: Has the dispatcher start a waiting firing, because a process, or a task that was to make one, has ended. Joins the caller's transaction.
    -- Parameters:
    --   in_process_id number (required): the process; does nothing unless a schedule made it
    --   in_task_id number = null: of process 0, the task
    procedure next_firing (in_process_id in number, in_task_id in number default null);
