-- Procedure: AdmitTask
-- Purpose: Whether a chosen task may start: no other unfinished task has its key, its resource is free, and enough lanes are. If not, @TaskId
-- is NULL afterwards, and the worker looks for another task unless @Result says what else.
-- Access: private; part of NextTask's transaction.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @ProcessId int (required): process of the task, whose row is locked
--   @Attempt int (required): number of the attempt
--   @DedupKey nvarchar(200) (required): key of the task; NULL = none
--   @UserSid varbinary(85) (required): SID of the principal that enqueued it
--   @ResourceId int (required): resource that it needs; NULL = none
--   @Access varchar(9) (required): how it uses the resource
--   @MaxWorkers int (required): workers that may run at once
--   @TaskId bigint OUTPUT: the task; NULL afterwards = not admitted
--   @SqlText nvarchar(max) OUTPUT: the batch to run
--   @Parameters nvarchar(max) OUTPUT: values bound to the batch; NULL = none
--   @CountedFor int OUTPUT: see NextTask
--   @Result varchar(10) OUTPUT: Limit if other workers are enough, otherwise unchanged
-- Errors: none raised; in the log of the task:
--   51040: the resource of the task was dropped
CREATE OR ALTER PROCEDURE {{.Schema}}.AdmitTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @Attempt int,
    @DedupKey nvarchar(200),
    @UserSid varbinary(85),
    @ResourceId int,
    @Access varchar(9),
    @MaxWorkers int,
    @TaskId bigint OUTPUT,
    @SqlText nvarchar(max) OUTPUT,
    @Parameters nvarchar(max) OUTPUT,
    @CountedFor int OUTPUT,
    @Result varchar(10) OUTPUT
AS
BEGIN
    DECLARE @DuplicateOf bigint, @Granted bit, @RequestId bigint;

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

    -- A task whose resource is in use waits in line, invisible to workers; this worker looks for another task.
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
        END
        ELSE IF @Granted IS NULL
            SELECT @SqlText = N'THROW 51040, N''dbsched 51040: the resource of the task was dropped. Create it again with DefineResource, then enqueue the task again.'', 1;', @Parameters = NULL;
    END;

    IF @TaskId IS NULL OR @CountedFor <= @MaxWorkers
        RETURN;

    -- Set Busy first, then count the busy lanes, committed or not: of lanes that claim at the same moment from different processes, the
    -- last to set it sees all others.
    UPDATE l
    SET l.State = 'Busy', l.StateAt = SYSUTCDATETIME(), @CountedFor = @MaxWorkers
    FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

    -- Two lanes may both give way: the caller passes the wake-up back, and the dispatcher assigns one.
    IF EXISTS (SELECT 1
               FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
               WHERE s.SettingsId = 1 AND s.MaxLanes >= @LaneId
                 AND s.MaxWorkers <= (SELECT COUNT(*)
                                      FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
                                      WHERE l.LaneId <= s.MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle'))
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
