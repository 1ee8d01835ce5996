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

        -- Of the index alone: who goes from it to the row waits for that while he holds the entry, and who ends the attempt waits
        -- for the entry while he holds the row.
        SELECT TOP (1) @TaskId = t.TaskId, @DeadWorkerId = t.WorkerId
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

        SET @LastTaskId = @TaskId;
        SET @Attempt = NULL;

        SELECT @Attempt = t.Attempt, @ProcessId = t.ProcessId, @LogId = t.LogId
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId AND t.WorkerId = @DeadWorkerId;

        IF @Attempt IS NULL
            CONTINUE;

        EXEC {{.Schema}}.CompleteTask
            @TaskId = @TaskId, @Attempt = @Attempt, @ProcessId = @ProcessId, @LogId = @LogId, @LaneId = @LaneId, @WorkerId = @DeadWorkerId,
            @Outcome = 'Orphaned', @ErrorNumber = 51023,
            @ErrorMessage = N'dbsched 51023: the worker died while it ran this task.', @Lost = @Lost OUTPUT;
    END;
END;
