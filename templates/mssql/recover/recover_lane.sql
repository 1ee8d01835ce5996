-- Procedure: RecoverLane
-- Purpose: Ends the attempts that a dead worker left in a lane. Each task runs again or fails, as its OnOrphan says.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WorkerId uniqueidentifier = NULL: the caller, if it holds the lane's lock and cleans up after its predecessor;
--       NULL = the caller does not hold the lock, and nothing is done while another session does
--   @Found bit = 0 OUTPUT: 1 = there was an attempt
CREATE OR ALTER PROCEDURE {{.Schema}}.RecoverLane
    @LaneId int,
    @WorkerId uniqueidentifier = NULL,
    @Found bit = 0 OUTPUT
AS
BEGIN
    DECLARE @TaskId bigint, @LastLogId bigint, @ProcessId int, @LogId bigint, @DeadWorkerId uniqueidentifier, @Held bit = 0;
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    -- Deleted records of all attempts before may still be in the index.
    SET @LastLogId = ISNULL((SELECT l.FromLogId FROM {{.Schema}}.Lanes AS l WITH (NOLOCK) WHERE l.LaneId = @LaneId), 0);

    WHILE 1 = 1
    BEGIN
        SET @TaskId = NULL;

        -- Read the index only. Going on to the row would wait for it while holding the index entry, and a session that ends
        -- the attempt holds the row and waits for the entry: a deadlock.
        SELECT TOP (1) @TaskId = t.TaskId, @DeadWorkerId = t.WorkerId, @LogId = t.LogId
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
        WHERE t.LaneId = @LaneId AND t.WorkerId IS NOT NULL AND t.LogId > @LastLogId
          AND (@WorkerId IS NULL OR t.WorkerId <> @WorkerId)
        ORDER BY t.LogId
        OPTION (MAXDOP 1);

        IF @TaskId IS NULL
            BREAK;

        -- Tested after reading the row: if the lock is free now, the worker in the row is dead. APPLOCK_TEST also returns 1 to
        -- the session that holds the lock, such as a task that called Sweep.
        IF @WorkerId IS NULL AND (APPLOCK_TEST({{.LocksRoleLit}}, @Resource, 'Exclusive', 'Session') = 0
                                  OR APPLOCK_MODE({{.LocksRoleLit}}, @Resource, 'Session') <> N'NoLock')
            BREAK;

        SELECT @LastLogId = @LogId, @ProcessId = NULL, @Found = 1;

        SELECT @ProcessId = t.ProcessId, @LogId = t.LogId
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId AND t.WorkerId = @DeadWorkerId;

        IF @WorkerId IS NULL AND @ProcessId IS NOT NULL -- the dispatcher must not wait for a process that another session holds
        BEGIN
            BEGIN TRANSACTION;
            EXEC {{.Schema}}.LockProcess @ProcessId, @Held OUTPUT;
            COMMIT TRANSACTION;
        END;

        IF @ProcessId IS NULL OR @Held = 1
            CONTINUE;

        SET LOCK_TIMEOUT 1000; -- see WorkLane
        EXEC {{.Schema}}.CompleteAttempt
            @LaneId = @LaneId, @WorkerId = @DeadWorkerId, @ProcessId = @ProcessId, @TaskId = @TaskId, @LogId = @LogId,
            @Outcome = 'Orphaned', @ErrorNumber = 51023, @ErrorMessage = N'dbsched 51023: the worker died while it was running this task.';
        SET LOCK_TIMEOUT -1;
    END;
END;
