-- Procedure: FreeDeadLanes
-- Purpose: Finds lanes with a dead worker (killed, or the server was restarted), recovers their tasks and makes the lanes idle.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.FreeDeadLanes
AS
BEGIN
    DECLARE @LaneId int = 0, @State varchar(8), @StateAt datetime2(3), @WorkerId uniqueidentifier, @Resource nvarchar(255);

    WHILE 1 = 1
    BEGIN
        -- An Assigned lane has half a minute to be activated; a Busy lane without its lock is dead at once.
        SELECT TOP (1) @LaneId = l.LaneId, @State = l.State, @StateAt = l.StateAt, @WorkerId = l.WorkerId, @Resource = N'lane:' + CONVERT(nvarchar(10), l.LaneId)
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId > @LaneId
          AND (l.State = 'Busy' OR l.WorkerId IS NOT NULL OR (l.State = 'Assigned' AND l.StateAt < DATEADD(second, -30, SYSUTCDATETIME())))
        ORDER BY l.LaneId;

        IF @@ROWCOUNT = 0
            BREAK;

        -- Our own lock counts as held too: see RecoverLane.
        IF APPLOCK_TEST({{.LocksRoleLit}}, @Resource, 'Exclusive', 'Session') = 1
           AND APPLOCK_MODE({{.LocksRoleLit}}, @Resource, 'Session') = N'NoLock'
        BEGIN
            EXEC {{.Schema}}.RecoverLane @LaneId;

            UPDATE l
            SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME(), l.WorkerId = NULL, l.SessionId = NULL, l.EnteredAt = NULL
            FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE l.LaneId = @LaneId AND l.State = @State AND l.StateAt = @StateAt
              AND (l.WorkerId = @WorkerId OR (l.WorkerId IS NULL AND @WorkerId IS NULL));
            SET @Resource = N'Lane_' + RIGHT(N'0' + CONVERT(nvarchar(10), @LaneId), 2);
            IF @State = 'Assigned'
                EXEC {{.Schema}}.RepairQueues @Resource;
        END;
    END;
END;
