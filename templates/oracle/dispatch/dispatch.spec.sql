    -- Package: {{.PU}}DISPATCH
    -- Purpose: What the dispatcher's job does between two messages: requests, due tasks, lanes for runnable tasks, the sweep.
    -- Each step is its own short transaction.
    -- Access: private

    -- Procedure: enter
    -- Purpose: Makes the session the dispatcher, unless another session is.
    -- Parameters:
    --   out_state varchar2 OUT: Go, or Stop when another session is the dispatcher
    procedure enter (out_state out varchar2);

    -- Procedure: turn
    -- Purpose: Processes everything that is committed. While the scheduler is stopped, it ends waiting workers instead.
    -- Parameters:
    --   in_version varchar2 (required): version of the job's own text
    --   out_wait number OUT: seconds to wait for a message, at most 60
    --   out_state varchar2 OUT: Go; Quiet: nothing is due for a minute; or Stop when the scheduler is stopped, another version is installed or
    --       this is a copy
    -- Errors: none raised; an error becomes an alarm, and the next turn follows in five seconds
    procedure turn (in_version in varchar2, out_wait out number, out_state out varchar2);

    -- Procedure: leave
    -- Purpose: Ends the session's time as the dispatcher.
    procedure leave;

    -- Procedure: assign
    -- Purpose: Gives free lanes to runnable tasks, all at once: as many as there are tasks, lanes and allowed workers.
    -- Parameters:
    --   out_given varchar2 OUT: Y = there is work, so there may be Starting lanes with jobs not ordered yet
    --   out_later varchar2 OUT: Y = another session held a process row; call it again soon
    procedure assign (out_given out varchar2, out_later out varchar2);

    -- Procedure: sweep
    -- Purpose: Periodic work, one slice at a time: dead workers, processes left to end, tasks committed too late for their process,
    -- and the pruning of history.
    -- Parameters:
    --   out_more varchar2 OUT: Y = a slice was full, so there is more to do
    procedure sweep (out_more out varchar2);
