-- Procedure: ReleaseProcess
-- Purpose: Lets the tasks of a Suspended process run once the caller's transaction commits. Does nothing if the process is not
-- Suspended.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors (number 50000, the number below in text and state):
--   51004: there is no such process
--   51006: the process belongs to another user
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process is always open
-- Example: EXEC dbsched.ReleaseProcess 7;
CREATE OR ALTER PROCEDURE {{.Schema}}.ReleaseProcess
    @ProcessId int
AS
BEGIN
    DECLARE @Result int;
    EXEC @Result = {{.Schema}}.RequestProcess @ProcessId = @ProcessId, @Action = 'Release';
{{.EndJoin}}
    RETURN @Result;
END;
