-- Procedure: ManualWorker
-- Purpose: Makes the calling session an additional worker, in a lane above 1000.
-- Access: private; runs as the owner, which may claim and impersonate.
-- Parameters:
--   @WaitingTime int (required): seconds without work after which it returns
--   @UserId int (required): principal whose tasks it runs
-- Errors:
--   51018: 64 sessions are already workers
CREATE OR ALTER PROCEDURE {{.Schema}}.ManualWorker
    @WaitingTime int,
    @UserId int
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
{{.TaskOptions}}
    DECLARE @LaneId int = 1001, @WorkerId uniqueidentifier, @TasksRun int = 0, @RanBefore int = 0, @Outcome varchar(10) = NULL;
    DECLARE @IdleSince datetime2(3) = SYSUTCDATETIME(), @Context varbinary(128) = ISNULL(CONTEXT_INFO(), 0x);

    WHILE @WorkerId IS NULL
    BEGIN
        IF @LaneId > 1064
            THROW 51018, N'dbsched 51018: 64 sessions already run TaskScheduler. End one of them, or add workers with SetWorkers.', 1;

        -- Two sessions may try the same number; the lock below decides.
        INSERT INTO {{.Schema}}.Lanes WITH (ROWLOCK) (LaneId)
        SELECT @LaneId
        WHERE NOT EXISTS (SELECT 1 FROM {{.Schema}}.Lanes AS l WITH (UPDLOCK, HOLDLOCK, ROWLOCK) WHERE l.LaneId = @LaneId);

        EXEC {{.Schema}}.EnterLane @LaneId = @LaneId, @WaitMilliseconds = 0, @WorkerId = @WorkerId OUTPUT;
        IF @WorkerId IS NULL
            SET @LaneId = @LaneId + 1;
    END;

    BEGIN TRY
        -- The dispatcher may not have marked tasks that the caller has just committed.
        EXEC {{.Schema}}.MarkWork;

        WHILE @Outcome IS NULL OR @Outcome IN ('Idle', 'Renew')
        BEGIN
            SET @Outcome = NULL;
            EXEC {{.Schema}}.WorkLane @LaneId, @WorkerId, @UserId OUTPUT, @TasksRun OUTPUT, @Outcome OUTPUT;

            IF @TasksRun > @RanBefore
                SELECT @RanBefore = @TasksRun, @IdleSince = SYSUTCDATETIME();

            IF @Outcome = 'Idle'
            BEGIN
                IF DATEDIFF(second, @IdleSince, SYSUTCDATETIME()) >= @WaitingTime
                    BREAK;
                WAITFOR DELAY '00:00:00.200';
            END;
        END;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        SET CONTEXT_INFO @Context;
        EXEC {{.Schema}}.LeaveLane @LaneId = @LaneId, @WorkerId = @WorkerId;
        THROW;
    END CATCH;

    SET CONTEXT_INFO @Context; -- each task began with an empty one
    EXEC {{.Schema}}.LeaveLane @LaneId = @LaneId, @WorkerId = @WorkerId;

    -- It leaves a task that it would have run next, so NextTask did not send a wake-up for it.
    IF @Outcome = 'OtherUser'
        EXEC {{.Schema}}.SendWake;

    RETURN CASE WHEN @Outcome = 'OtherUser' THEN 1 WHEN @Outcome = 'Stopped' THEN 2 ELSE 0 END;
END;
