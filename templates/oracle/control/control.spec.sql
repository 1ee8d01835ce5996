    -- Package: {{.PU}}CONTROL
    -- Purpose: Orders given while the scheduler works: cancel, retry, start and stop the dispatcher; and ending attempts that were
    -- cancelled or have run out of time.
    -- Access: private

    -- Procedure: order_cancel
    -- Purpose: Cancels one task, or a process with all its tasks: at once if not started; for running tasks the dispatcher is told to
    -- end the session. What has ended is left as it is. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task; NULL = a whole process
    --   in_process_id number = null: the process; NULL = that of the task
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the task or process
    --   20015: the scheduler is stopped, and the dispatcher, which ends the session, could not be started
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    procedure order_cancel (in_task_id in number, in_process_id in number default null);

    -- Procedure: order_retry
    -- Purpose: Runs one task again, or all tasks of a process that failed or were skipped. A process that had ended is open again, or
    -- closing if close_process was called. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task; NULL = a whole process
    --   in_process_id number = null: the process; NULL = that of the task
    -- Errors:
    --   20004: the process does not exist
    --   20006: the process belongs to another user
    --   20011: an open transaction has locked the task or process
    --   20024: the task does not exist
    --   20025: the task belongs to another user
    --   20027: it has not failed, or cancelled tasks have not ended yet
    procedure order_retry (in_task_id in number, in_process_id in number default null);

    -- Procedure: cancel_running
    -- Purpose: Cancels all running tasks, as order_cancel does. Called after the scheduler was stopped, so that nothing new starts.
    -- Errors:
    --   20015: the dispatcher, which ends the sessions, could not be started
    procedure cancel_running;

    -- Procedure: switch_dispatcher
    -- Purpose: Enables the dispatcher's job if the scheduler is started or an attempt must end, else disables it. Commits.
    -- Errors: those of DBMS_SCHEDULER
    procedure switch_dispatcher;

    -- Procedure: run_dispatcher
    -- Purpose: Makes sure that a dispatcher sees what the caller has committed, even if only to end sessions while the scheduler is
    -- stopped. Enables its job, as switch_dispatcher does. Commits.
    -- Errors:
    --   20015: its job could not be started
    procedure run_dispatcher;

    -- Procedure: end_attempts
    -- Purpose: Ends attempts that have run out of time or were cancelled: marks the task and the lane, stops the lane's job, and
    -- records the outcome when the session is gone. Called by the dispatcher only, and outside transactions.
    -- Parameters:
    --   out_again varchar2 OUT: Y = a lane has become free, or there is more to end: call it again at once
    -- Errors: none of its own; a session that cannot be ended is an alarm
    procedure end_attempts (out_again out varchar2);
