-- Procedure: RetryProcess
-- Purpose: Resumes a process where it failed: its Failed, TimedOut and Skipped tasks run again, and in a Cancelled process the
-- Cancelled tasks too. The process is Open again, or Closing if CloseProcess was called. If some of these tasks are another user's, only
-- an administrator can do it.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51010: called inside a transaction
--   51011: the process is locked by a transaction that has not ended
--   51025: tasks of another user failed or were skipped in it
--   51027: the process has no Failed, TimedOut, Skipped or Cancelled tasks, or cancelled tasks have not ended yet
-- Example: EXEC dbsched.RetryProcess 7;
CREATE OR ALTER PROCEDURE {{.Schema}}.RetryProcess
    @ProcessId int
AS
BEGIN
{{.RefuseTransaction "RetryProcess" ""}}

    IF @ProcessId IS NULL
        THROW 51004, N'dbsched 51004: @ProcessId is NULL. Pass the number of a process.', 1;

    EXEC {{.Schema}}.OrderRetry @ProcessId = @ProcessId;
    RETURN 0;
END;
