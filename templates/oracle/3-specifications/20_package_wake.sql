create or replace package {{.P}}wake authid definer as
    -- Package: {{.PU}}WAKE
    -- Purpose: Sends wake-ups. They say "look again" and carry no work, so a lost one delays and a double one does nothing.
    -- Access: private

    -- Procedure: send
    -- Purpose: Wakes the dispatcher when the caller's transaction commits, once per transaction however often it is called.
    -- Parameters: none
    -- Errors: none of its own
    -- Example: {{.P}}wake.send;
    procedure send;

    -- Procedure: send_now
    -- Purpose: Wakes the dispatcher when the transaction that is open commits. Uses no marker, so that autonomous
    -- transactions may call it.
    -- Parameters: none
    -- Errors: none of its own
    -- Example: {{.P}}wake.send_now;
    procedure send_now;

    -- Procedure: send_lane
    -- Purpose: Wakes the session that waits in a lane when the transaction that is open commits.
    -- Parameters:
    --   in_lane_id number (required): number of the lane
    -- Errors: none of its own
    -- Example: {{.P}}wake.send_lane(1);
    procedure send_lane (in_lane_id in number);
end {{.P}}wake;
