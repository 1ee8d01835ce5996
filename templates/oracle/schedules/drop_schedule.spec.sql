    -- Procedure: drop_schedule
    -- Purpose: Removes a schedule. Its processes run to their end, and its history stays for retention_days.
    -- Parameters:
    --   in_name varchar2 (required): name of the schedule
    -- Errors:
    --   20071: the schedule does not exist
    --   20072: the schedule belongs to another user
    -- Example: dbsched.drop_schedule('old load');
    procedure drop_schedule (in_name in varchar2);
