-- Procedure: CancelProcess
-- Purpose: Cancels a process: tasks that have not started become Cancelled at once, running tasks as in CancelTask. In an ended
-- process, cancels only tasks that are still running.
-- Access: public: dbsched_user (own processes), dbsched_admin
-- Parameters:
--   @ProcessId int (required): the process
-- Errors:
--   51004: there is no such process
--   51006: the process belongs to another user
--   51010: called inside a transaction
--   51011: the process is locked by a transaction that has not ended
--   51013: the default process never ends
-- Example: EXEC dbsched.CancelProcess 7;
CREATE OR ALTER PROCEDURE {{.Schema}}.CancelProcess
    @ProcessId int
AS
BEGIN
{{.RefuseTransaction "CancelProcess" ""}}

    IF @ProcessId IS NULL
        THROW 51004, N'dbsched 51004: @ProcessId is NULL. Pass the number of a process.', 1;

    IF @ProcessId IN (0, 1)
        THROW 51013, N'dbsched 51013: processes 0 (of schedules) and 1 (the default process) never end. Cancel its tasks one by one with CancelTask.', 1;

    EXEC {{.Schema}}.OrderCancel @ProcessId = @ProcessId;
    RETURN 0;
END;
