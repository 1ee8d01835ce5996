    -- Package: {{.PU}}RUN
    -- Purpose: Executes the text of tasks, and nothing else, with the rights of the session's user, roles included: lanes call it from
    -- their anonymous block, not from a definer's rights package. It reads no dbsched table.
    -- Access: private

    -- Procedure: run
    -- Purpose: Runs one text in a session that is reset before and after. On success its work is committed, otherwise rolled back. The
    -- work is committed apart from its completion: if both shared a transaction, the process row would be locked while the commit
    -- refreshes materialized views, and for days by an in-doubt distributed transaction. A transactional task accepts this: its
    -- completion is the last step in its transaction before the commit.
    -- Parameters:
    --   in_worker_id varchar2 (required): worker that runs it
    --   in_task_id number (required): the task
    --   in_log_id number (required): the attempt's log row
    --   in_sql clob (required): SQL statement or PL/SQL block; a last line "/" is dropped, a ";" is kept for PL/SQL only
    --   in_parameters clob (required): values to bind, NULL = none
    --   in_transactional varchar2 (required): Y = one transaction with its completion
    --   out_outcome varchar2 OUT: Recorded (nothing left to do), or the outcome to pass to {{.P}}worker.complete
    --   out_rows number OUT: rows of the statement or of the query, NULL for blocks and DDL
    --   out_error_number number OUT: NULL if it succeeded, otherwise the number of the ORA error without sign
    --   out_error_message varchar2 OUT: error stack
    --   out_error_backtrace varchar2 OUT: error backtrace
    --   out_renew varchar2 OUT: Y = the session cannot run another task
    -- Errors: none raised; the task's error is returned. One before its first statement is no fault of the task: the outcome is Outage. Nor is a
    -- full list of open links or a rollback for a higher priority: Outage if nothing of the task remains, else Orphaned. Or
    --   20070: a column of the query has a type that cannot be fetched
    --   20035: a transactional task is DDL, or ended or replaced its transaction
    procedure run (
        in_worker_id in varchar2,
        in_task_id in number,
        in_log_id in number,
        in_sql in clob,
        in_parameters in clob,
        in_transactional in varchar2,
        out_outcome out varchar2,
        out_rows out number,
        out_error_number out number,
        out_error_message out varchar2,
        out_error_backtrace out varchar2,
        out_renew out varchar2);
