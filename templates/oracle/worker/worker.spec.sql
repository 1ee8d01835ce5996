    -- Package: {{.PU}}WORKER
    -- Purpose: The steps of a worker's life: enter a lane, claim, complete, leave; and the detection of dead workers.
    -- Each step is its own short transaction. None may be called inside another transaction.
    -- Access: private

    -- Procedure: alarm
    -- Purpose: Records an alarm and calls the alarm hook, unless one of the last hundred alarms is the same and less than ten
    -- minutes old{{if .Runner}}, or twenty of them are less than an hour old and about things of the same user, who is no administrator: so a user
    -- can neither bury the alarms of others nor call the hook without end{{end}}. Joins the open transaction.
    -- Parameters:
    --   in_kind varchar2 (required): kind of alarm, see {{.P}}alarms.kind
    --   in_text varchar2 (required): what happened
    --   in_process_id number = null: process it is about
    --   in_task_id number = null: task it is about
    --   in_lane_id number = null: lane it is about
    --   in_user varchar2 = null: user whose round or schedule it is about; NULL = the user of the task or process, if there is one
    procedure alarm (
        in_kind in varchar2,
        in_text in varchar2,
        in_process_id in number default null,
        in_task_id in number default null,
        in_lane_id in number default null,
        in_user in varchar2 default null);

    -- Function: is_copy
    -- Purpose: True in a copy of the database or schema where the scheduler was started; that also raises an alarm. So does a move, which is
    -- recorded. The caller holds the lock on the settings row.
    -- Parameters:
    --   in_settings {{.P}}settings (required): where it was started, home NULL = not started yet
    function is_copy (in_settings in {{.P}}settings%rowtype) return boolean;

    -- Procedure: close_if_done
    -- Purpose: Ends a closing process without unfinished tasks. The caller holds the lock on the process row.
    -- Parameters:
    --   in_process_id number (required): the process
    procedure close_if_done (in_process_id in number);

    -- Procedure: find_wave
    -- Purpose: The wave that a process is in, which is its lowest unfinished order, and where its pending tasks begin. Seeks from the process's
    --   watermark: no unfinished task has a lower order, and none of the wave is Pending up to it. Looks from the beginning without one, and while
    --   a mark of a transaction that added a task before it is there; deleted entries of the indexes make that slow. Exact under the lock on the
    --   process row.
    -- Parameters:
    --   in_process_id number (required): the process
    --   in_order number (required): wave_order of its row
    --   in_key number (required): wave_key
    --   in_running number (required): its running tasks
    --   out_order number OUT: the wave, NULL = nothing is unfinished
    --   out_key number OUT: its tasks up to this claim_key are not Pending
    procedure find_wave (
        in_process_id in number, in_order in number, in_key in number, in_running in number, out_order out number, out_key out number);

    -- Function: lane_dead
    -- Purpose: True if no worker is in a lane: its lock is free, and the session that last took it is gone.
    -- Parameters:
    --   in_lane_id number (required): the lane; 0 = the dispatcher
    function lane_dead (in_lane_id in number) return boolean;

    -- Procedure: take_lock
    -- Purpose: Takes the lock of a lane or of the dispatcher. The session keeps it until release_lock or its end.
    -- Parameters:
    --   in_lane_id number (required): the lane; 0 = the dispatcher
    --   in_seconds number (required): seconds to wait
    --   out_held varchar2 OUT: Y = the session has the lock
    procedure take_lock (in_lane_id in number, in_seconds in number, out_held out varchar2);

    -- Procedure: release_lock
    -- Purpose: Releases that lock. Does nothing if the session does not hold it.
    -- Parameters:
    --   in_lane_id number (required): the lane; 0 = the dispatcher
    procedure release_lock (in_lane_id in number);

    -- Procedure: enter
    -- Purpose: Makes the session the worker of a lane: takes the lane's lock, and recovers the work of a dead predecessor.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_seconds number (required): seconds to wait for the lock
    --   out_worker_id varchar2 OUT: the new worker, NULL if another session holds the lane
    procedure enter (in_lane_id in number, in_seconds in number, out_worker_id out varchar2);

    -- Procedure: claim
    -- Purpose: Records an attempt that has succeeded and gives the worker the next task, in one transaction: the policy chooses the process,
    -- then the first pending task of its lowest unfinished order is taken and the attempt's log row is written. With nothing to claim the lane
    -- becomes Idle, or Off if the worker has waited in vain, in the same transaction: work that is committed later finds the lane in that state.
    -- Parameters:
    --   in_lane_id number (required): lane of the worker
    --   in_worker_id varchar2 (required): the worker
    --   in_version varchar2 (required): version of the worker's own text
    --   in_waited varchar2 (required): Y = it has waited its full time
    --   in_rows number (required): rows of the statement of the attempt that has succeeded
    --   io_counted number OUT: for how many workers the lanes were last counted, NULL = this one is new. Pass it on
    --   io_task_id number OUT: in: task of an attempt that has succeeded, NULL = none; out: the task to run
    --   io_log_id number OUT: in: log row of that attempt; out: of the attempt to run
    --   out_result varchar2 OUT: Task, Idle (wait for a message), Leave (waited in vain), Stopped, Limit (enough other workers) or Succeeded
    --       (the attempt could not be recorded; call complete)
    --   out_sql clob OUT: the text to run
    --   out_parameters clob OUT: values to bind, NULL = none
    --   out_transactional varchar2 OUT: Y = one transaction with its completion
    -- Errors: none of its own; deadlocks and lock timeouts are retried
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
    -- Purpose: Records how an attempt ended and decides what follows: retry, end, next wave, halted or finished process.
    -- Only the worker that runs the attempt, or a session that found that worker dead, changes anything.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that ran it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_outcome varchar2 (required): Succeeded, Failed, Final (failed, no retry), Orphaned, or Outage (the server could not begin it)
    --   in_rows number (required): rows of the statement
    --   in_error_number number (required): error that ended it
    --   in_error_message varchar2 (required): error stack
    --   in_error_backtrace varchar2 (required): error backtrace
    --   out_lost varchar2 OUT: Y = the attempt no longer belongs to this worker, or is an orphan that could not be recorded for half a minute
    -- Errors: none raised; deadlocks, timeouts and the like are retried, with an alarm each minute
    procedure complete (
        in_worker_id in varchar2,
        in_task_id in number,
        in_log_id in number,
        in_outcome in varchar2,
        in_rows in number,
        in_error_number in number,
        in_error_message in varchar2,
        in_error_backtrace in varchar2,
        out_lost out varchar2);

    -- Procedure: begin_work
    -- Purpose: Begins the transaction of a transactional task by changing its attempt's row, which no other session changes meanwhile.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that runs the attempt
    --   in_log_id number (required): the attempt's log row
    -- Errors:
    --   20099: the attempt belongs to another worker
    procedure begin_work (in_worker_id in varchar2, in_log_id in number);

    -- Procedure: complete_within
    -- Purpose: Does what complete does for a task that succeeded, in the open transaction. The caller commits at once: the process
    -- row is locked until then.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that ran it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_rows number (required): rows of the statement
    -- Errors: deadlocks, timeouts and the like, after some retries, without ending the transaction
    --   20099: the attempt no longer belongs to this worker
    procedure complete_within (in_worker_id in varchar2, in_task_id in number, in_log_id in number, in_rows in number);

    -- Procedure: recover
    -- Purpose: Ends the attempts that a dead worker left in a lane: each task is run again or fails, according to its on_orphan.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 = null: the caller, if it holds the lane's lock and recovers its predecessor; NULL: the caller does
    --       not hold it, and nothing is done while any session does
    procedure recover (in_lane_id in number, in_worker_id in varchar2 default null);

    -- Procedure: leave
    -- Purpose: Ends the session's time as the worker of a lane.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker
    --   in_again varchar2 (required): Y = there may be more to do, so wake the dispatcher
    procedure leave (in_lane_id in number, in_worker_id in varchar2, in_again in varchar2);

    -- Procedure: failed
    -- Purpose: The exit of a worker that met an error of dbsched itself: an alarm, then leave.
    -- Parameters:
    --   in_lane_id number (required): the lane
    --   in_worker_id varchar2 (required): the worker, NULL if it has not entered
    --   in_text varchar2 (required): the error
    procedure failed (in_lane_id in number, in_worker_id in varchar2, in_text in varchar2);
