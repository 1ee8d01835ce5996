-- Procedure: HaltProcess
-- Purpose: Ends a process after a task failed: tasks that have not started are skipped. Joins the caller's transaction, which holds
-- the lock on the process row.
-- Access: private
-- Parameters:
--   @ProcessId int (required): the process
--   @TaskId bigint (required): the failed task
--   @LaneId int (required): lane that ran it
--   @ErrorMessage nvarchar(4000) (required): its error; NULL = none
CREATE OR ALTER PROCEDURE {{.Schema}}.HaltProcess
    @ProcessId int,
    @TaskId bigint,
    @LaneId int,
    @ErrorMessage nvarchar(4000)
AS
BEGIN
    DECLARE @Message nvarchar(2000), @ScheduleId int;

    -- The status first: workers choose among processes without locks. While many tasks are skipped, they choose
    -- other processes instead of waiting for this one.
    UPDATE p
    SET p.Status = 'Failed', p.FinishedAt = SYSUTCDATETIME(), p.HasWork = 0, @ScheduleId = p.ScheduleId
    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE p.ProcessId = @ProcessId;

    UPDATE t
    SET t.Status = 'Skipped', t.WaitReason = NULL, t.DueAt = NULL, t.FinishedAt = SYSUTCDATETIME()
    FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
    WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND t.Status IN ('Pending', 'Waiting')
    OPTION (MAXDOP 1);

    EXEC {{.Schema}}.LeaveResourceLine @ProcessId;

    SET @Message = N'Task ' + CONVERT(nvarchar(20), @TaskId) + N' failed, so its process was halted. Tasks that had not started were skipped.'
                 + N' Fix the cause, then call RetryProcess. ' + ISNULL(LEFT(@ErrorMessage, 1500), N'');
    EXEC {{.Schema}}.RaiseAlarm @Kind = 'ProcessFailed', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;

    IF @ScheduleId IS NOT NULL
        EXEC {{.Schema}}.NextFiring @ScheduleId;
END;
