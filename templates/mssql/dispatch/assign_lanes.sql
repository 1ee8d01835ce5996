-- Procedure: AssignLanes
-- Purpose: Assigns idle lanes to runnable tasks, all at once, limited by the number of tasks, lanes and allowed workers.
-- While the scheduler is stopped, ends waiting workers instead.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.AssignLanes
AS
BEGIN
    DECLARE @Started bit = 0, @MaxWorkers int = 0, @MaxLanes int = 0, @Runnable int = 0, @Active int = 0, @Wanted int, @LaneId int;

    SELECT @Started = s.Started, @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    -- Pending tasks of the wave of each process. A count too high is harmless: a lane finds nothing and
    -- goes idle. It is too low only while a commit releases its locks; then the dispatcher looks again a second later.
    IF @Started = 1
        SELECT @Runnable = ISNULL(SUM(CASE WHEN p.MaxParallel - p.Running < n.Pending THEN p.MaxParallel - p.Running ELSE n.Pending END), 0)
        FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
        CROSS APPLY {{.Schema}}.WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS w
        CROSS APPLY (SELECT COUNT(*) AS Pending
                     FROM (SELECT TOP (@MaxWorkers) u.TaskId
                           FROM (SELECT t.TaskId FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                                 WHERE t.ProcessId = p.ProcessId AND t.Status = 'Pending' AND t.Rank = w.Rank AND t.TaskId >= w.TaskId
                                 UNION ALL
                                 SELECT t.TaskId FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Claim))
                                 WHERE t.ProcessId = p.ProcessId AND t.Status = 'Pending' AND t.Rank > w.Rank
                                   AND t.Rank < CONVERT(decimal(27, 0), (CONVERT(decimal(27, 0), w.ExecutionOrder) + 1) * 10000000000000000)) AS u) AS x) AS n
        WHERE p.HasWork = 1
          AND p.Status IN ('Open', 'Closing')
          AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)
        OPTION (MAXDOP 1);

    IF @Started = 1 AND @Runnable = 0
        RETURN;

    -- Too few lanes: are the busy ones alive?
    IF @Started = 1
    BEGIN
        SELECT @Active = COUNT(*)
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId <= @MaxLanes AND l.State <> 'Idle';

        IF @Runnable > @MaxWorkers - @Active
            EXEC {{.Schema}}.FreeDeadLanes;
    END;

    BEGIN TRANSACTION;

    SELECT @Started = s.Started, @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM {{.Schema}}.Settings AS s WITH (REPEATABLEREAD, ROWLOCK)
    WHERE s.SettingsId = 1;

    SELECT @Active = COUNT(*)
    FROM {{.Schema}}.Lanes AS l WITH (UPDLOCK, ROWLOCK)
    WHERE l.LaneId <= @MaxLanes AND l.State <> 'Idle';

    SET @Wanted = CASE WHEN @Started = 0 THEN 0 WHEN @Runnable < @MaxWorkers - @Active THEN @Runnable ELSE @MaxWorkers - @Active END;

    WHILE @Wanted > 0
    BEGIN
        -- Prefer a worker that still waits on its queue: it needs no new session.
        UPDATE l
        SET @LaneId = l.LaneId, @Wanted = @Wanted - 1, l.State = 'Assigned', l.StateAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = (SELECT TOP (1) i.LaneId
                          FROM {{.Schema}}.Lanes AS i WITH (UPDLOCK, ROWLOCK)
                          WHERE i.LaneId <= @MaxLanes AND i.State = 'Idle'
                          ORDER BY CASE WHEN i.WorkerId IS NULL THEN 1 ELSE 0 END, i.LaneId);

        IF @@ROWCOUNT = 0
            BREAK;

        EXEC {{.Schema}}.SendWake @LaneId;
    END;

    SET @LaneId = 0;
    WHILE @Started = 0 AND @LaneId IS NOT NULL
    BEGIN
        SELECT @LaneId = MIN(l.LaneId)
        FROM {{.Schema}}.Lanes AS l WITH (UPDLOCK, ROWLOCK)
        WHERE l.LaneId > @LaneId AND l.LaneId <= @MaxLanes AND l.State = 'Idle' AND l.WorkerId IS NOT NULL;

        IF @LaneId IS NOT NULL
            EXEC {{.Schema}}.SendWake @LaneId;
    END;

    COMMIT TRANSACTION;
END;
