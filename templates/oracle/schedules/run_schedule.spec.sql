    -- Procedure: run_schedule
    -- Purpose: Fires a schedule now, also if it is disabled. Unless its in_overlap is Allow, this waits until its last process has ended.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    -- Errors:
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.run_schedule('nightly load');
    procedure run_schedule (in_name in varchar2);
