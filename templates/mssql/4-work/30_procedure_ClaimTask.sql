-- Procedure: ClaimTask
-- Purpose: Gives the calling worker the next task: the policy chooses the process, and its first pending task of the lowest
-- unfinished order is claimed. Also writes the log row of the attempt, in the same short transaction. Skips a task with the same key
-- as another unfinished task.
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @OnlyUserId int = NULL: claim only tasks of this database principal; NULL = of any user
--   @Result varchar(10) OUTPUT: Task, None (nothing claimable), Stopped, Limit (enough other workers) or OtherUser
--   @TaskId bigint OUTPUT: the task
--   @Attempt int OUTPUT: number of the attempt
--   @ProcessId int OUTPUT: its process
--   @LogId bigint OUTPUT: its log row
--   @SqlText nvarchar(max) OUTPUT: the batch to run
--   @Parameters nvarchar(max) OUTPUT: values bound to the batch; NULL = none
--   @Transactional bit OUTPUT: 1 = task and completion are one transaction
--   @UserId int OUTPUT: principal that enqueued it
--   @UserSid varbinary(85) OUTPUT: that principal's SID
--   @UserName nvarchar(128) OUTPUT: that principal's name
-- Errors: none raised; deadlocks, lock timeouts and NOLOCK scans interrupted by data movement (601) are retried. In the log of a task:
--   51040: the resource of the task was dropped
-- Example: see WorkLane
CREATE OR ALTER PROCEDURE {{.Schema}}.ClaimTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @OnlyUserId int = NULL,
    @Result varchar(10) OUTPUT,
    @TaskId bigint OUTPUT,
    @Attempt int OUTPUT,
    @ProcessId int OUTPUT,
    @LogId bigint OUTPUT,
    @SqlText nvarchar(max) OUTPUT,
    @Parameters nvarchar(max) OUTPUT,
    @Transactional bit OUTPUT,
    @UserId int OUTPUT,
    @UserSid varbinary(85) OUTPUT,
    @UserName nvarchar(128) OUTPUT
AS
BEGIN
    -- Halting or cancelling many tasks locks a process row for long. Meanwhile this claim would lock the settings, and others wait for those.
    SET LOCK_TIMEOUT 1000;
    DECLARE @MaxWorkers int, @MaxLanes int, @Policy varchar(10), @NextSweepAt datetime2(3), @Usable bit, @Look tinyint, @Early bit, @Now datetime2(7),
            @Order int, @LowestOrder int, @TransactionId bigint, @TimeoutSeconds int, @StopAt datetime2(3), @DedupKey nvarchar(200),
            @ResourceId int, @Access varchar(9), @Granted bit, @RequestId bigint, @Home bit, @Tries int = 0, @Changes int = 0;

    WHILE 1 = 1
    BEGIN
        BEGIN TRY
            SELECT @Result = 'Stopped', @ProcessId = NULL, @TaskId = NULL, @Usable = 0, @LowestOrder = NULL, @Look = 1, @Early = 0, @RequestId = NULL;

            BEGIN TRANSACTION;

            -- Locked until the end of this transaction: after StopScheduler has changed the row, no claim is in progress.
            -- This lane count, without locks, is a cheap first check. The decisive count follows once this lane is Busy.
            SELECT @Result = CASE WHEN s.Started = 0 OR s.Version <> {{.VersionLit}} THEN 'Stopped'
                                  WHEN NOT ({{.ByName}}) THEN 'Moved'
                                  WHEN @LaneId <= s.MaxLanes
                                       AND s.MaxWorkers <= (SELECT COUNT(*)
                                                            FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
                                                            WHERE l.LaneId <= s.MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle') THEN 'Limit' END,
                   @MaxWorkers = s.MaxWorkers, @MaxLanes = s.MaxLanes, @Policy = s.Policy, @NextSweepAt = s.NextSweepAt
            FROM {{.Schema}}.Settings AS s WITH (REPEATABLEREAD, ROWLOCK)
            WHERE s.SettingsId = 1;

            IF @Result IS NULL
            BEGIN
                -- Choose without locks: READPAST would skip a process that another worker is claiming from, and leave this
                -- worker idle although that process has more tasks. The choice is checked under the lock. Like all others,
                -- the lock uses the primary key: SQL Server could use another index with these columns, and a lock on an
                -- entry there blocks no other session.
                SELECT @ProcessId = c.ProcessId,
                       @Usable = CASE WHEN p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel) THEN 1 ELSE 0 END
                FROM (SELECT TOP (1) q.ProcessId
                      FROM {{.Schema}}.Processes AS q WITH (NOLOCK)
                      WHERE q.HasWork = 1
                        AND q.Status IN ('Open', 'Closing')
                        AND (q.MaxParallel IS NULL OR q.Running < q.MaxParallel)
                      ORDER BY CASE WHEN @Policy = 'RoundRobin' THEN q.Running * 1000 / q.Weight ELSE 0 END,
                               CASE WHEN @Policy = 'RoundRobin' THEN q.LastServedAt ELSE NULL END,
                               CASE WHEN @Policy = 'Priority' THEN -q.Priority ELSE 0 END,
                               q.ProcessId) AS c
                LEFT JOIN {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK, FORCESEEK, INDEX (PK_Processes)) ON p.ProcessId = c.ProcessId
                OPTION (MAXDOP 1);

                -- Other processes may have been served during the wait for the lock: is it still this one's turn?
                IF @ProcessId IS NULL
                    SET @Result = 'None';
                ELSE IF @Usable = 1 AND @Policy = 'RoundRobin' AND @Changes < 5
                        AND @ProcessId <> (SELECT TOP (1) p.ProcessId
                                           FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
                                           WHERE p.HasWork = 1
                                             AND p.Status IN ('Open', 'Closing')
                                             AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)
                                           ORDER BY p.Running * 1000 / p.Weight, p.LastServedAt, p.ProcessId)
                    SELECT @Usable = 0, @Changes = @Changes + 1;
            END;

            IF @Usable = 1
            BEGIN
                -- Under the lock on the process row, the only locked task rows are uncommitted inserts: READPAST skips tasks
                -- that do not exist yet. The second look finds tasks committed during the first: the dispatcher checks
                -- only rows with HasWork = 0, so 0 must be written before the last look.
                WHILE 1 = 1
                BEGIN
                    SELECT TOP (1) @LowestOrder = t.ExecutionOrder
                    FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                    WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL
                    ORDER BY t.ExecutionOrder
                    OPTION (MAXDOP 1);

                    SELECT TOP (1) @TaskId = t.TaskId, @Order = t.ExecutionOrder, @Attempt = t.Attempt + 1, @SqlText = t.SqlText,
                                   @UserId = t.EnqueuedById, @UserSid = t.EnqueuedBySid, @UserName = t.EnqueuedByName, @TransactionId = t.TransactionId,
                                   @TimeoutSeconds = t.TimeoutSeconds, @ResourceId = t.ResourceId, @Access = t.Access,
                                   @Parameters = t.Parameters, @Transactional = t.Transactional, @DedupKey = t.DedupKey, @Now = SYSUTCDATETIME()
                    FROM {{.Schema}}.Tasks AS t WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                    WHERE t.ProcessId = @ProcessId AND t.ExecutionOrder = @LowestOrder AND t.Status = 'Pending'
                    ORDER BY t.Priority DESC, t.ExpectedSeconds DESC, t.TaskId
                    OPTION (MAXDOP 1);

                    IF @TaskId IS NOT NULL OR @Look = 2
                        BREAK;

                    UPDATE p SET p.HasWork = 0 FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
                    SELECT @Look = 2, @LowestOrder = NULL;
                END;

                IF @TaskId IS NOT NULL AND @Look = 2
                    UPDATE p SET p.HasWork = 1 FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;

                -- A commit releases its row locks one by one, so READPAST may see a task of a later wave before tasks of
                -- an earlier one. If one row of a transaction is unlocked, all its rows are committed.
                IF @TaskId IS NOT NULL
                   AND EXISTS (SELECT 1
                               FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
                               WHERE t.ProcessId = @ProcessId AND t.FinishedAt IS NULL AND t.ExecutionOrder < @Order AND t.TransactionId = @TransactionId)
                    SELECT @TaskId = NULL, @Early = 1;
                ELSE IF @TaskId IS NOT NULL AND @OnlyUserId <> @UserId
                    SET @Result = 'OtherUser';
            END;

            IF @Result IS NULL AND @TaskId IS NOT NULL AND @DedupKey IS NOT NULL
                EXEC {{.Schema}}.SkipDuplicate @ProcessId, @TaskId OUTPUT, @Attempt, @DedupKey, @UserSid, @ResourceId;

            -- A task whose resource is in use waits in line, invisible to workers; this worker looks for another task.
            IF @Result IS NULL AND @TaskId IS NOT NULL AND @ResourceId IS NOT NULL
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

            IF @Result IS NULL AND @TaskId IS NOT NULL
            BEGIN
                -- Set Busy first, then count the busy lanes, committed or not: of lanes that claim at the same moment from
                -- different processes, the last to set it sees all others.
                UPDATE l
                SET l.State = 'Busy', l.StateAt = @Now, l.TaskId = @TaskId, l.Attempt = @Attempt
                FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

                -- Two lanes may both give way: the caller passes the wake-up back, and the dispatcher assigns one.
                IF @LaneId <= @MaxLanes
                   AND @MaxWorkers <= (SELECT COUNT(*)
                                       FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
                                       WHERE l.LaneId <= @MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle')
                BEGIN
                    UPDATE l
                    SET l.State = 'Idle', l.StateAt = @Now, l.TaskId = NULL, l.Attempt = NULL
                    FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

                    -- Give back the resource that was just granted; the line has not moved since.
                    IF @RequestId IS NOT NULL
                        DELETE r
                        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

                    SELECT @Result = 'Limit', @TaskId = NULL;
                END;
            END;

            IF @Result IS NULL AND @TaskId IS NOT NULL
            BEGIN
                UPDATE p
                SET p.Running = p.Running + 1, p.LastServedAt = @Now
                FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE p.ProcessId = @ProcessId;

                INSERT INTO {{.Schema}}.Logs WITH (ROWLOCK)
                    (TaskId, ProcessId, ExecutionOrder, Attempt, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt)
                VALUES
                    (@TaskId, @ProcessId, @Order, @Attempt, LEFT(@SqlText, 4000), @UserSid, @UserName, @LaneId, @WorkerId, @@SPID, @Now);

                SELECT @LogId = SCOPE_IDENTITY(), @StopAt = DATEADD(second, @TimeoutSeconds, @Now), @Result = 'Task';

                UPDATE t
                SET t.Status = 'Running', t.Attempt = @Attempt, t.LaneId = @LaneId, t.WorkerId = @WorkerId, t.LogId = @LogId, t.StartedAt = @Now,
                    t.StopAt = @StopAt, t.StopOutcome = NULL, t.StopTries = 0
                FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE t.TaskId = @TaskId;

                -- The dispatcher sets its timer for the deadline, unless the next sweep comes first.
                IF @StopAt < @NextSweepAt
                    EXEC {{.Schema}}.SendWake;
            END;

            COMMIT TRANSACTION;

            IF @Result <> 'Moved'
                RETURN 0;

            -- Another server or name: work continues after a failover, but not in a copy.
            IF @Result = 'Moved'
                EXEC {{.Schema}}.ComeHome 0, NULL, @Home OUTPUT;
            IF @Home = 0
            BEGIN
                SET @Result = 'Stopped';
                RETURN 0;
            END;

            IF @Early = 1
                WAITFOR DELAY '00:00:00.010';
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            IF ERROR_NUMBER() <> 1222
                SET @Tries = @Tries + 1;
            IF @Tries >= 10 OR ERROR_NUMBER() NOT IN (601, 1205, 1222, 3960)
                THROW;

            WAITFOR DELAY '00:00:00.050';
        END CATCH;
    END;
END;
