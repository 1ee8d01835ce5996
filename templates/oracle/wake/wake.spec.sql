    -- Package: {{.PU}}WAKE
    -- Purpose: Sends wake-ups. They mean "look again" and carry no work: a lost one causes a delay, a duplicate does nothing.
    -- Access: private

    -- Procedure: send
    -- Purpose: Wakes the dispatcher when the caller's transaction commits. Sends one message per transaction and process, however often it is called.
    --   Also leaves a mark for claims, which becomes visible together with the tasks that the transaction adds: see {{.PU}}WORKER, find_wave.
    -- Parameters:
    --   in_process_id number (required): the process that the transaction changes
    --   in_order number = 9999999999: wave of the first task that it adds to the process; none has a higher one
    --   in_key number = 0: claim_key of that task
    procedure send (in_process_id in number, in_order in number default 9999999999, in_key in number default 0);

    -- Procedure: send_now
    -- Purpose: Wakes the dispatcher when the open transaction commits.
    procedure send_now;

    -- Procedure: send_lane
    -- Purpose: Wakes the session that waits in a lane when the open transaction commits.
    -- Parameters:
    --   in_lane_id number (required): the lane
    procedure send_lane (in_lane_id in number);
