    -- Procedure: alter_schedule
    -- Purpose: Changes a schedule. What is NULL stays. A new calendar or time zone counts from now on. New tasks make the caller the owner of
    -- the schedule; what has fired for the former owner, but has no process yet, fails. Existing processes stay as they are.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    --   in_calendar varchar2 = null: when it fires; see create_schedule, as for all that follow
    --   in_sql clob = null: its only task, or
    --   in_tasks clob = null: its tasks
    --   in_zone varchar2 = null: time zone of the calendar
    --   in_overlap varchar2 = null: Skip, Queue or Allow
    --   in_missed varchar2 = null: Once, None or All
    --   in_on_error varchar2 = null: Halt or Continue
    --   in_weight number = null: weight of its processes
    --   in_max_parallel number = null: most tasks of a process that run at once; 0 = no limit
    --   in_create boolean = false: true = create it, as create_schedule does
    --   in_enabled boolean = true: of a new schedule: false = it fires only after set_schedule_enabled
    --   in_begin_at timestamp with time zone = null: no firing before it; every N minutes, hours or days is counted from it
    --   in_end_at timestamp with time zone = null: no firing after it; 9999-12-31 = without end
    -- Errors: those of exec_async_batch and create_process, and
    --   20008: in_overlap or in_missed is not an allowed value
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    --   20073: the name is not valid, or there is a schedule of that name
    --   20074: the calendar cannot be read, or never fires between in_begin_at and in_end_at
    --   20075: there is no such time zone
    --   20076: not exactly one of in_sql and in_tasks, or a task names a process or not_before
    -- Example: dbsched.alter_schedule('nightly load', '30 1 * * MON-FRI');
    procedure alter_schedule (
        in_name in varchar2,
        in_calendar in varchar2 default null,
        in_sql in clob default null,
        in_tasks in clob default null,
        in_zone in varchar2 default null,
        in_overlap in varchar2 default null,
        in_missed in varchar2 default null,
        in_on_error in varchar2 default null,
        in_weight in number default null,
        in_max_parallel in number default null,
        in_create in boolean default false,
        in_enabled in boolean default true,
        in_begin_at in timestamp with time zone default null,
        in_end_at in timestamp with time zone default null);
