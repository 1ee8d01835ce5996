    -- Procedure: wait_process
    -- Purpose: Waits until a process has ended, or until an open process has no unfinished task.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    --   out_result number OUT: 0 = Succeeded, or nothing left to do; 1 = Failed or Cancelled; 2 = timeout
    --   out_status varchar2 OUT: final status of the process
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20010: called inside a transaction: tasks that it enqueued could not start
    --   20017: called by a task of the same process: it would wait for its own end
    -- Example: dbsched.wait_process(7, 600, l_result, l_status);
    procedure wait_process (
        in_process_id in number,
        in_timeout_seconds in number,
        out_result out number,
        out_status out varchar2);

    -- Procedure: wait_process
    -- Purpose: Waits like wait_process above, for callers that need no result.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_timeout_seconds number (required): longest wait in seconds; 0 to 604800
    -- Errors:
    --   20003: in_timeout_seconds is NULL or out of range
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20010: called inside a transaction: tasks that it enqueued could not start
    --   20017: called by a task of the same process: it would wait for its own end
    -- Example: dbsched.wait_process(7, 600);
    procedure wait_process (in_process_id in number, in_timeout_seconds in number);
