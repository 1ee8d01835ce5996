create or replace package {{.P}}control authid definer as
    -- Package: {{.PU}}CONTROL
    -- Purpose: What people order while the scheduler works: cancel, retry, start and end of the dispatcher; and the ending of attempts
    -- that were cancelled or have run out of time.
    -- Access: private

    -- Procedure: order_cancel
    -- Purpose: Cancels one task, or a process with all its tasks: what has not started at once, what runs by telling the dispatcher
    -- to end its session. What has ended is left as it is. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task; NULL = a whole process
    --   in_process_id number = null: the process; NULL = that of the task
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20011: the task or process is held by a transaction that has not ended
    --   20015: the scheduler is stopped, and the dispatcher that would end the session could not be started
    --   20024: there is no such task
    --   20025: the task belongs to another user
    -- Example: {{.P}}control.order_cancel(4711);
    procedure order_cancel (in_task_id in number, in_process_id in number default null);

    -- Procedure: order_retry
    -- Purpose: Lets one task run again, or all that failed or was skipped in a process; a process that had ended is open again, or
    -- closing if no more tasks were to come. A transaction of its own.
    -- Parameters:
    --   in_task_id number (required): the task; NULL = a whole process
    --   in_process_id number = null: the process; NULL = that of the task
    -- Errors:
    --   20004: there is no such process
    --   20006: the process belongs to another user
    --   20011: the task or process is held by a transaction that has not ended
    --   20024: there is no such task
    --   20025: the task belongs to another user
    --   20027: it has not failed, or tasks that were cancelled have not ended yet
    -- Example: {{.P}}control.order_retry(4711);
    procedure order_retry (in_task_id in number, in_process_id in number default null);

    -- Procedure: cancel_running
    -- Purpose: Cancels whatever runs, as order_cancel does. Called when the scheduler is stopped, so that nothing starts any more.
    -- Parameters: none
    -- Errors:
    --   20015: the dispatcher, which would end the sessions, could not be started
    -- Example: {{.P}}control.cancel_running;
    procedure cancel_running;

    -- Procedure: switch_dispatcher
    -- Purpose: Enables or disables the dispatcher's job, as the settings say. It commits.
    -- Parameters: none
    -- Errors: those of DBMS_SCHEDULER
    -- Example: {{.P}}control.switch_dispatcher;
    procedure switch_dispatcher;

    -- Procedure: run_dispatcher
    -- Purpose: Makes sure that a dispatcher looks at what the caller has committed, if only to end sessions while the scheduler is
    -- stopped. Its job is enabled or disabled as the settings say. It commits.
    -- Parameters: none
    -- Errors:
    --   20015: its job could not be started
    -- Example: {{.P}}control.run_dispatcher;
    procedure run_dispatcher;

    -- Procedure: end_attempts
    -- Purpose: Ends attempts that have run out of time or were cancelled: says so in the task, condemns the lane, stops its job, and
    -- writes the outcome when the session is gone. Called by the dispatcher only, and outside transactions.
    -- Parameters:
    --   out_again varchar2 OUT: Y = a lane has become free, or there is more to end: look again at once
    -- Errors: none of its own; a session that cannot be ended is an alarm
    -- Example: {{.P}}control.end_attempts(l_again);
    procedure end_attempts (out_again out varchar2);
end {{.P}}control;
