    -- A job as the dictionary shows it: whether it exists and runs, its number of runs, and when the last one began.
    type job_state is record (jobs pls_integer, running pls_integer, runs number, started_at timestamp with time zone);
