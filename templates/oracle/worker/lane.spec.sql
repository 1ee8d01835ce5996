    -- Package: {{.PU}}LANE
    -- Purpose: The steps of a worker's life, as the jobs of the lanes call them. Their sessions also run the text of tasks; a call
    -- from a task is refused because it does not know its worker's name, which cannot be guessed and is shown to administrators
    -- only. {{.PU}}WORKER does the work, and is for definer's rights packages only.
    -- Access: private

    -- Procedure: enter
    -- Purpose: Makes the session the worker of a lane, see {{.P}}worker.enter.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   out_worker_id varchar2 OUT: the new worker, NULL if another session holds the lane
    -- Errors:
    --   20062: the session is already a worker
    procedure enter (in_lane_id in number, out_worker_id out varchar2);

    -- Procedure: claim
    -- Purpose: Records a success and gives the worker the next task, see {{.P}}worker.claim.
    -- Parameters:
    --   in_lane_id number (required): lane of the worker
    --   in_worker_id varchar2 (required): the worker
    --   in_version varchar2 (required): version of the worker's own text
    --   in_waited varchar2 (required): Y = it has waited its full time
    --   in_rows number (required): rows of the statement of the attempt that has succeeded
    --   io_counted number OUT: for how many workers the lanes were last counted, NULL = this one is new. Pass it on
    --   io_task_id number OUT: in: task of an attempt that has succeeded, NULL = none; out: the task to run
    --   io_log_id number OUT: in: log row of that attempt; out: of the attempt to run
    --   out_result varchar2 OUT: Task, Idle (call wait), Leave, Stopped, Limit or Succeeded (call complete)
    --   out_sql clob OUT: the text to run
    --   out_parameters clob OUT: values to bind, NULL = none
    --   out_transactional varchar2 OUT: Y = one transaction with its completion
    -- Errors:
    --   20062: the session is not this worker's
    procedure claim (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_version in varchar2,
        in_waited in varchar2,
        in_rows in number,
        io_counted in out number,
        io_task_id in out number,
        io_log_id in out number,
        out_result out varchar2,
        out_sql out clob,
        out_parameters out clob,
        out_transactional out varchar2);

    -- Procedure: complete
    -- Purpose: Records how an attempt of the worker ended, see {{.P}}worker.complete.
    -- Parameters:
    --   in_lane_id number (required): lane that ran it
    --   in_worker_id varchar2 (required): worker that ran it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_outcome varchar2 (required): Succeeded, Failed, Final or Orphaned
    --   in_rows number (required): rows of the statement
    --   in_error_number number (required): error that ended it
    --   in_error_message varchar2 (required): error stack
    --   in_error_backtrace varchar2 (required): error backtrace
    --   out_lost varchar2 OUT: Y = the attempt no longer belongs to this worker, or could not be recorded
    -- Errors:
    --   20062: the session is not this worker's
    procedure complete (
        in_lane_id in number,
        in_worker_id in varchar2,
        in_task_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        out_lost out varchar2);

    -- Procedure: wait
    -- Purpose: Waits for the lane's wake-up, for linger_seconds at most. Inside this package, so that the user of the tasks needs no right
    -- on the queue.
    -- Parameters:
    --   in_lane_id number (required): lane of the worker
    --   in_worker_id varchar2 (required): the worker
    --   out_waited varchar2 OUT: Y = no message came
    -- Errors:
    --   20062: the session is not this worker's
    procedure wait (in_lane_id in number, in_worker_id in varchar2, out_waited out varchar2);

    -- Procedure: leave
    -- Purpose: Ends the session's time as the worker of a lane, see {{.P}}worker.leave.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker
    --   in_again varchar2 (required): Y = there may be more to do, so wake the dispatcher
    -- Errors:
    --   20062: the session is not this worker's
    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2);

    -- Procedure: failed
    -- Purpose: The exit of a worker that met an error of dbsched itself, see {{.P}}worker.failed.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker, NULL if it has not entered
    --   in_text varchar2 (required): the error
    -- Errors:
    --   20062: the session is not this worker's, or is another worker's
    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2);
