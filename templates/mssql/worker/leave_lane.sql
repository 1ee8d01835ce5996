-- Procedure: LeaveLane
-- Purpose: Ends the calling session's role as worker of a lane, and repairs what only a worker may notice.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WorkerId uniqueidentifier (required): the worker
--   @Again bit = 0: 1 = more work: wake the lane for a new session
CREATE OR ALTER PROCEDURE {{.Schema}}.LeaveLane
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Again bit = 0
AS
BEGIN
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    BEGIN TRY
        BEGIN TRANSACTION;

        -- Keep Assigned: the dispatcher has just sent a wake-up, and Service Broker starts the next session for it.
        UPDATE l
        SET l.State = CASE WHEN @Again = 1 THEN 'Assigned' WHEN l.State = 'Busy' THEN 'Idle' ELSE l.State END,
            l.StateAt = SYSUTCDATETIME(),
            l.WorkerId = NULL, l.SessionId = NULL, l.EnteredAt = NULL
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

        IF @@ROWCOUNT = 1 AND @Again = 1
            EXEC {{.Schema}}.SendWake @LaneId;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
    END CATCH;

    WHILE APPLOCK_MODE({{.LocksRoleLit}}, @Resource, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Resource, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

    -- The dispatcher cannot repair its own queue or timer. A late sweep means that the timer may be gone.
    IF @Again = 0
    BEGIN
        EXEC {{.Schema}}.RepairQueues;

        IF EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                   WHERE s.SettingsId = 1 AND s.Started = 1 AND s.NextSweepAt < DATEADD(second, -5, SYSUTCDATETIME()))
            EXEC {{.Schema}}.ArmTimer @Seconds = 1;
    END;
END;
