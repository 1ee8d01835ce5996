-- Procedure: RecoverLane
-- Purpose: Ends the attempts that a dead worker left in a lane: run again or failed, as each task's OnOrphan says.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WorkerId uniqueidentifier = NULL: the caller, if it holds the lane's lock and looks after its predecessor;
--       NULL: the caller does not hold it, and nothing is done while anybody does
-- Errors: none of its own
-- Example: EXEC dbsched.RecoverLane @LaneId = 3;
CREATE OR ALTER PROCEDURE {{.Schema}}.RecoverLane
    @LaneId int,
    @WorkerId uniqueidentifier = NULL
AS
BEGIN
    DECLARE @TaskId bigint, @LastTaskId bigint = 0, @Attempt int, @ProcessId int, @LogId bigint, @DeadWorkerId uniqueidentifier, @Lost bit;
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    WHILE 1 = 1
    BEGIN
        SET @TaskId = NULL;

        SELECT TOP (1) @TaskId = t.TaskId, @Attempt = t.Attempt, @ProcessId = t.ProcessId, @LogId = t.LogId, @DeadWorkerId = t.WorkerId
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
        WHERE t.LaneId = @LaneId AND t.WorkerId IS NOT NULL AND t.TaskId > @LastTaskId
          AND (@WorkerId IS NULL OR t.WorkerId <> @WorkerId)
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

        IF @TaskId IS NULL
            BREAK;

        -- Tested after the row was read: whoever ran it then is dead if nobody holds the lock now. APPLOCK_TEST says
        -- yes to the session that holds the lock itself, which is a task that called Sweep.
        IF @WorkerId IS NULL AND (APPLOCK_TEST({{.LocksRoleLit}}, @Resource, 'Exclusive', 'Session') = 0
                                  OR APPLOCK_MODE({{.LocksRoleLit}}, @Resource, 'Session') <> N'NoLock')
            BREAK;

        EXEC {{.Schema}}.CompleteTask
            @TaskId = @TaskId, @Attempt = @Attempt, @ProcessId = @ProcessId, @LogId = @LogId, @LaneId = @LaneId, @WorkerId = @DeadWorkerId,
            @Outcome = 'Orphaned', @ErrorNumber = 51023,
            @ErrorMessage = N'dbsched 51023: the worker died while it ran this task.', @Lost = @Lost OUTPUT;

        SET @LastTaskId = @TaskId;
    END;
END;
