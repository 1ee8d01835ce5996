    -- Package: {{.PU}}ADMIN
    -- Purpose: What administrators do besides starting and stopping: options, the alarm hook, deletion of history, users.
    -- Access: private

    -- Procedure: prune
    -- Purpose: Deletes a slice of tasks, processes, attempts, alarms and firings that ended before an instant. Commits.
    -- Parameters:
    --   in_cutoff timestamp with time zone (required): the instant
    --   out_rows number OUT: rows deleted
    --   out_full varchar2 OUT: Y = a slice was full, so there is more to delete
    procedure prune (in_cutoff in timestamp with time zone, out_rows out number, out_full out varchar2);

    -- Procedure: purge
    -- Purpose: Deletes everything that ended long ago, slice by slice. Transactions of its own.
    -- Parameters:
    --   in_days number (required): delete what ended more days ago; NULL = the retention setting
    -- Errors:
    --   20003: in_days is out of range
    procedure purge (in_days in number);

    -- Procedure: set_alarm_hook
    -- Purpose: Records the procedure that is called for every alarm and the user who set it, and creates a process for its calls. A
    -- transaction of its own.
    -- Parameters:
    --   in_procedure varchar2 (required): the procedure, NULL = none
    -- Errors:
    --   20060: the procedure does not exist, or has no parameter in_alarm_id
    procedure set_alarm_hook (in_procedure in varchar2);

    -- Procedure: call_hook
    -- Purpose: Enqueues the task that calls the alarm hook, if there is one. A task, because the hook is foreign code: it may fail or
    -- hang, and the session that raises an alarm may hold locks that all workers need. Joins the open transaction, and does not
    -- wait for other sessions.
    -- Parameters:
    --   in_alarm_id number (required): the alarm
    --   in_process_id number (required): process that the alarm is about, NULL = none
    procedure call_hook (in_alarm_id in number, in_process_id in number);

    -- Procedure: grant_user
    -- Purpose: Lets a user enqueue tasks, which run as the runner, and see the user's own tasks; or also makes the user an
    -- administrator. For the owner. GRANT commits.
    -- Parameters:
    --   in_user varchar2 (required): the user, as the dictionary spells it
    --   in_administrator varchar2 (required): Y = administrator; N = administrator rights are removed
    -- Errors:
    --   20066: there is no runner, the user does not exist, or it is the owner or the runner
    procedure grant_user (in_user in varchar2, in_administrator in varchar2);

    -- Procedure: revoke_user
    -- Purpose: Removes a user's access. Tasks already queued still run; schedules are suspended, and rounds enqueue nothing. For a user that was
    -- dropped, its administrator rights. For the owner.
    -- Parameters:
    --   in_user varchar2 (required): the user, as the dictionary spells it
    --   out_schedules number OUT: schedules that were suspended
    --   out_rounds number OUT: the user's rounds
    -- Errors:
    --   20066: there is no runner, the user does not exist, or it is the owner or the runner
    procedure revoke_user (in_user in varchar2, out_schedules out number, out_rounds out number);
