-- Procedure: AdmitTask
-- Purpose: Whether a chosen task may start: no other unfinished task has its key, its resource is free, and other workers are not enough. If
-- not, @TaskId is NULL afterwards, and the worker looks for another task unless @Result says what else.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task, whose row is locked
--   @TaskId bigint OUTPUT: the task; NULL afterwards = not admitted
--   @CountedFor int OUTPUT: see NextTask
--   @Result varchar(10) OUTPUT: Limit if other workers are enough, otherwise unchanged
CREATE OR ALTER PROCEDURE {{.Schema}}.AdmitTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint OUTPUT,
    @CountedFor int OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @Attempt int, @DedupKey nvarchar(200), @UserSid varbinary(85), @DuplicateOf bigint;
    DECLARE @ResourceId int, @Access varchar(9), @Granted bit, @RequestId bigint, @MaxLanes int;

    SELECT @Attempt = t.Attempt + 1, @DedupKey = t.DedupKey, @UserSid = t.EnqueuedBySid, @ResourceId = t.ResourceId, @Access = t.Access
    FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
    WHERE t.TaskId = @TaskId;

    -- Of two tasks with the same key that were enqueued at the same time, the one that runs or has run stays, else the older one.
    IF @DedupKey IS NOT NULL
        SELECT TOP (1) @DuplicateOf = d.TaskId
        FROM {{.Schema}}.Tasks AS d WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        INNER JOIN {{.Schema}}.Tasks AS o WITH (NOLOCK) ON o.TaskId = d.TaskId
        WHERE d.ProcessId = @ProcessId AND d.DedupKey = @DedupKey AND d.DedupKey IS NOT NULL AND d.EnqueuedBySid = @UserSid
          AND d.FinishedAt IS NULL AND d.TaskId <> @TaskId
          AND (o.Status IN ('Running', 'Stopping')
               OR (o.Attempt > 0 AND @Attempt = 1)
               OR (o.TaskId < @TaskId AND (o.Attempt > 0 OR @Attempt = 1)))
        ORDER BY d.TaskId
        OPTION (MAXDOP 1);

    IF @DuplicateOf IS NOT NULL
    BEGIN
        UPDATE t
        SET t.Status = 'Skipped', t.DuplicateOf = @DuplicateOf, t.FinishedAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId;

        IF @ResourceId IS NOT NULL
            EXEC {{.Schema}}.LeaveResourceLine @ProcessId, @TaskId;

        -- This worker looks again. If the task was the last of its wave, the next wave needs more workers.
        EXEC {{.Schema}}.SendWake;
        SET @TaskId = NULL;
    END;

    -- A task whose resource is in use waits in line, invisible to workers; this worker looks for another task. NULL: the resource was dropped,
    -- which RunTask says.
    IF @TaskId IS NOT NULL AND @ResourceId IS NOT NULL
    BEGIN
        EXEC {{.Schema}}.JoinResourceLine @ProcessId, @TaskId, @ResourceId, @Access, @Granted OUTPUT, @RequestId OUTPUT;

        IF @Granted = 0
        BEGIN
            UPDATE t
            SET t.Status = 'Waiting', t.WaitReason = 'Resource'
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;

            SET @TaskId = NULL;
        END;
    END;

    IF @TaskId IS NULL OR @CountedFor IS NOT NULL
        RETURN;

    -- Set Busy first, then count the busy lanes, committed or not: of lanes that claim at the same moment from different processes, the
    -- last to set it sees all others.
    UPDATE l
    SET l.State = 'Busy', l.StateAt = SYSUTCDATETIME()
    FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

    SELECT @CountedFor = s.MaxWorkers, @MaxLanes = s.MaxLanes
    FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.SettingsId = 1;

    -- Two lanes may both give way: the caller passes the wake-up back, and the dispatcher assigns one.
    IF @LaneId <= @MaxLanes
       AND @CountedFor <= (SELECT COUNT(*)
                           FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
                           WHERE l.LaneId <= @MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle')
    BEGIN
        UPDATE l
        SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

        -- Give back the resource that was just granted; the line has not moved since.
        IF @RequestId IS NOT NULL
            DELETE r
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

        SELECT @Result = 'Limit', @TaskId = NULL, @CountedFor = NULL;
    END;
END;
