    -- Procedure: set_options
    -- Purpose: Sets rarely changed options. An omitted or NULL option is not changed. All options are changed or none. They count from
    -- their next use; no restart is needed. {{.PU}}SCHEDULER_INFO shows them.
    -- Parameters:
    --   in_linger_seconds number = null: seconds that an idle worker waits for work before it ends; 0 to 3600
    --   in_idle_sweep_seconds number = null: seconds between two sweeps; 1 to 86400
    --   in_retention_days number = null: days that finished tasks and processes, attempts and alarms are kept; 1 to 36500
    --   in_max_retry_delay_seconds number = null: longest delay before a retry, in seconds; 0 to 86400
    --   in_max_orphans number = null: how often a task runs again after its worker died; 0 to 100
    --   in_outage_seconds number = null: seconds for which a task is tried again that the server cannot begin; 0 to 2592000
    --   in_max_tasks_per_user number = null: with a runner: unfinished tasks that a user may have who is no administrator; 0 = no limit. Counts
    --       tasks added while it is set, those of schedules and rounds too. Retries, and calls of the same moment, can exceed it
    --   in_default_timeout_seconds number = null: in_timeout_seconds of new tasks that name none; 0 = no limit
    -- Errors:
    --   20003: a number is out of range, or none is given
    --   20039: the row of the settings is missing
    --   20061: the caller is not an administrator
    -- Example: dbsched.set_options(in_retention_days => 90, in_linger_seconds => 5);
    procedure set_options (
        in_linger_seconds in number default null,
        in_idle_sweep_seconds in number default null,
        in_retention_days in number default null,
        in_max_retry_delay_seconds in number default null,
        in_max_orphans in number default null,
        in_outage_seconds in number default null,
        in_max_tasks_per_user in number default null,
        in_default_timeout_seconds in number default null);
