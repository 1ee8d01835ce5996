create or replace package {{.P}}wake authid definer as
    -- Package: {{.PU}}WAKE
    -- Purpose: Sends wake-ups. They mean "look again" and carry no work: a lost one causes a delay, a duplicate does nothing.
    -- Access: private

    -- Procedure: send
    -- Purpose: Wakes the dispatcher when the caller's transaction commits. Sends one message per transaction, however often it is called.
    procedure send;

    -- Procedure: send_now
    -- Purpose: Wakes the dispatcher when the open transaction commits. Keeps no marker, so autonomous transactions may call it.
    procedure send_now;

    -- Procedure: send_lane
    -- Purpose: Wakes the session that waits in a lane when the open transaction commits.
    -- Parameters:
    --   in_lane_id number (required): the lane
    procedure send_lane (in_lane_id in number);
end {{.P}}wake;
