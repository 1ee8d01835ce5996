-- Procedure: EnterLane
-- Purpose: Makes the calling session the worker of a lane: takes the lane's lock and recovers the attempts of a dead predecessor.
-- Access: private
-- Parameters:
--   @LaneId int (required): the lane
--   @WaitMilliseconds int = 2000: longest wait for the lock, in milliseconds
--   @WorkerId uniqueidentifier OUTPUT: the new worker; NULL = another session holds the lane
CREATE OR ALTER PROCEDURE {{.Schema}}.EnterLane
    @LaneId int,
    @WaitMilliseconds int = 2000,
    @WorkerId uniqueidentifier OUTPUT
AS
BEGIN
    DECLARE @Granted int, @Found bit;
    DECLARE @Resource nvarchar(255) = N'lane:' + CONVERT(nvarchar(10), @LaneId);

    SET @WorkerId = NULL;

    -- Session locks are counted, and it is not documented whether Service Broker reuses a session: start without any.
    WHILE APPLOCK_MODE({{.LocksRoleLit}}, @Resource, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Resource, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

    EXEC @Granted = sys.sp_getapplock @Resource = @Resource, @LockMode = 'Exclusive', @LockOwner = 'Session',
                                      @LockTimeout = @WaitMilliseconds, @DbPrincipal = {{.LocksRoleLit}};
    IF @Granted < 0
        RETURN;

    BEGIN TRY
        SET @WorkerId = NEWID();
        EXEC {{.Schema}}.RecoverLane @LaneId, @WorkerId, @Found OUTPUT;

        UPDATE l
        SET l.WorkerId = @WorkerId, l.SessionId = @@SPID, l.EnteredAt = SYSUTCDATETIME(),
            l.FromLogId = CASE @Found WHEN 1 THEN l.FromLogId
                               ELSE (SELECT TOP (1) g.LogId FROM {{.Schema}}.Logs AS g WITH (NOLOCK) ORDER BY g.LogId DESC) END
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId;
    END TRY
    BEGIN CATCH
        EXEC sys.sp_releaseapplock @Resource = @Resource, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};
        THROW; -- without the output parameter, so the caller cannot leave the lane
    END CATCH;
END;
