    -- Procedure: run_firing
    -- Purpose: Makes the process of a schedule's firing and its tasks. Only the task that dbsched enqueues for the firing may call it.
    -- Parameters:
    --   in_firing_id number (required): the firing
    -- Errors: those of create_process and exec_async_batch, and
    --   20072: the schedule has another owner than when it fired
    --   20078: called outside the task of the firing
    -- Example: none; a task of process 0 calls it
    procedure run_firing (in_firing_id in number);
