    -- Procedure: sweep
    -- Purpose: Does at once what the dispatcher does periodically: cleans up after dead workers, prunes, starts lanes.
    -- Parameters: none
    -- Errors:
    --   20061: the caller is not an administrator
    -- Example: dbsched.sweep;
    procedure sweep;
