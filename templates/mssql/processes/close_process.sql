-- Procedure: CloseProcess
-- Purpose: Closes a process to new tasks: it ends when its last task ends. Joins the caller's transaction. A Suspended process
-- closes when it is released, a Failed or Cancelled process when it is retried. Does nothing if the process is Closing or Succeeded.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors (number 50000, the number below in text and state):
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
-- Example: EXEC dbsched.CloseProcess 7;
CREATE OR ALTER PROCEDURE {{.Schema}}.CloseProcess
    @ProcessId int
AS
BEGIN
    DECLARE @Result int;
    EXEC @Result = {{.Schema}}.RequestProcess @ProcessId = @ProcessId, @Action = 'Close';
{{.EndJoin}}
    RETURN @Result;
END;
