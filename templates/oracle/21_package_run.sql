create or replace package {{.P}}run authid current_user as
    -- Package: {{.PU}}RUN
    -- Purpose: Executes the text of tasks and nothing else, with the rights of the user whose session it is, roles
    -- included: lanes call it from their anonymous block, not from a definer's rights package. It reads no table of ours.
    -- Access: private

    -- Procedure: run
    -- Purpose: Runs one text in a session that is reset before and after. If it succeeds its work is committed; if not it is
    -- rolled back. Its work is committed apart from its completion: a completion in the same transaction would hold
    -- the process row while the commit checks deferred constraints and refreshes materialized views, and an in-doubt
    -- distributed transaction would hold it for days.
    -- Parameters:
    --   in_task_id number (required): the task, for DBA views
    --   in_process_id number (required): its process, for DBA views
    --   in_sql clob (required): SQL statement or PL/SQL block; a last line "/" is dropped, a ";" is kept for PL/SQL only
    --   out_rows number OUT: rows of the statement or of the query, NULL for blocks and DDL
    --   out_error_number number OUT: NULL if it succeeded, else the number of the ORA error without sign
    --   out_error_message varchar2 OUT: error stack
    --   out_error_backtrace varchar2 OUT: error backtrace
    --   out_error_procedure varchar2 OUT: unit it came from, NULL = the text itself
    --   out_error_line number OUT: line in that unit or text
    --   out_renew varchar2 OUT: Y = the session is not fit for another task
    -- Errors: none raised; the task's error comes back, or
    --   20024: the query has a column of a type that cannot be fetched
    -- Example: see the jobs of the lanes
    procedure run (
        in_task_id in number,
        in_process_id in number,
        in_sql in clob,
        out_rows out number,
        out_error_number out number,
        out_error_message out varchar2,
        out_error_backtrace out varchar2,
        out_error_procedure out varchar2,
        out_error_line out number,
        out_renew out varchar2);
end {{.P}}run;
