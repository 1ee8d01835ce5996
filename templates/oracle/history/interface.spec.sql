    -- Procedure: purge
    -- Purpose: Deletes old finished tasks and processes, attempts and alarms, in small steps that do not block other sessions. The sweep
    -- deletes what is older than retention_days in the same way. Unfinished tasks and processes remain, however old.
    -- Parameters:
    --   in_days number = null: delete what ended more days ago; 0 = all that has ended; NULL = retention_days; 0 to 36500
    -- Errors:
    --   20003: in_days is out of range
    --   20061: the caller is not an administrator
    -- Example: dbsched.purge(7);
    procedure purge (in_days in number default null);
