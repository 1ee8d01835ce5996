-- Procedure: NextTask
-- Purpose: Records how the worker's attempt ended and gives it the next task, in one transaction: a task costs one commit. The policy
-- chooses the process, and its first pending task of the lowest unfinished order is claimed, with the log row of the attempt. Skips a task
-- with the same key as another unfinished task. Changes nothing unless the ended attempt still belongs to @WorkerId; for a dead worker, the
-- session that found it dead calls this. Inside a transaction of the caller, joins it and raises errors.
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @Claim bit = 1: 0 = record the end only
--   @OnlyUserId int = NULL: claim only tasks of this database principal; NULL = of any user
--   @Outcome varchar(10) = NULL: how the attempt in the outputs ended: Succeeded, Failed, Orphaned or Outage; NULL = there is none
--   @Rows bigint = NULL: rows of the last statement
--   @ErrorNumber int = NULL: error that ended it
--   @ErrorMessage nvarchar(4000) = NULL: its text
--   @ErrorProcedure nvarchar(300) = NULL: procedure that raised it
--   @ErrorLine int = NULL: its line
--   @NoRetry bit = 0: 1 = no retry, even if attempts are left
--   @CountedFor int = NULL OUTPUT: value of MaxWorkers when the lanes were last counted, and this lane has been Busy since; NULL = it is not
--   @Result varchar(10) = NULL OUTPUT: pass NULL. Task, None (nothing claimable), Stopped, Limit (enough other workers), OtherUser, Ended (recorded, nothing
--   claimed) or Lost (the attempt no longer belongs to this worker, or is an orphan that cannot be recorded now)
--   @TaskId bigint = NULL OUTPUT: in: task of the ended attempt; out: the task to run; so for the next three
--   @Attempt int = NULL OUTPUT: number of the attempt
--   @ProcessId int = NULL OUTPUT: its process
--   @LogId bigint = NULL OUTPUT: its log row
--   @SqlText nvarchar(max) = NULL OUTPUT: the batch to run
--   @Parameters nvarchar(max) = NULL OUTPUT: values bound to the batch; NULL = none
--   @Transactional bit = NULL OUTPUT: 1 = task and completion are one transaction
--   @UserId int = NULL OUTPUT: principal that enqueued it
--   @UserName nvarchar(128) = NULL OUTPUT: that principal's name
--   @UserExists bit = NULL OUTPUT: 1 = it still is the same principal
-- Errors: none raised outside a transaction; deadlocks, timeouts and similar errors are retried: a claim ten times, an end for ever, with an
-- alarm each minute. So is 51011, and in the log of a task is 51040:
--   51011: the handover lock was not granted
--   51040: the resource of the task was dropped
CREATE OR ALTER PROCEDURE {{.Schema}}.NextTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @Claim bit = 1,
    @OnlyUserId int = NULL,
    @Outcome varchar(10) = NULL,
    @Rows bigint = NULL,
    @ErrorNumber int = NULL,
    @ErrorMessage nvarchar(4000) = NULL,
    @ErrorProcedure nvarchar(300) = NULL,
    @ErrorLine int = NULL,
    @NoRetry bit = 0,
    @CountedFor int = NULL OUTPUT,
    @Result varchar(10) = NULL OUTPUT,
    @TaskId bigint = NULL OUTPUT,
    @Attempt int = NULL OUTPUT,
    @ProcessId int = NULL OUTPUT,
    @LogId bigint = NULL OUTPUT,
    @SqlText nvarchar(max) = NULL OUTPUT,
    @Parameters nvarchar(max) = NULL OUTPUT,
    @Transactional bit = NULL OUTPUT,
    @UserId int = NULL OUTPUT,
    @UserName nvarchar(128) = NULL OUTPUT,
    @UserExists bit = NULL OUTPUT
AS
BEGIN
    DECLARE @EndedTaskId bigint = @TaskId, @EndedAttempt int = @Attempt, @EndedProcessId int = @ProcessId, @EndedLogId bigint = @LogId, @Home bit,
            @Handover nvarchar(255) = N'handover:' + CONVERT(nvarchar(10), @LaneId), @MaxWorkers int, @Policy varchar(10), @NextSweepAt datetime2(3), @Now datetime2(7), @Usable bit, @Early bit,
            @EndedOrder int, @EndedHolds bit, @EndedHadWork bit, @Order int, @TimeoutSeconds int, @DedupKey nvarchar(200), @UserSid varbinary(85),
            @ResourceId int, @Access varchar(9), @Tries int = 0, @Changes int = 0, @Granted int, @Joined bit = @@TRANCOUNT,
            @Rank decimal(27, 0), @TransactionId bigint, @FromOrder int, @FromRank decimal(27, 0), @FromTaskId bigint, @Keep bit, @ChosenId bigint;

    WHILE @Result IS NULL
    BEGIN
        BEGIN TRY
            BEGIN TRANSACTION;
            -- EndAttempts takes it before it ends a session, so that the session cannot start the next task meanwhile.
            EXEC @Granted = sys.sp_getapplock @Handover, 'Exclusive', 'Transaction', @LockTimeout = -1, @DbPrincipal = {{.LocksRoleLit}};
            IF @Granted < 0 -- such as -3: the victim of a deadlock, which is not rolled back
                THROW 51011, N'dbsched 51011: the handover lock of the lane was not granted.', 1;

            -- Locked until the commit if it may claim: after StopScheduler has changed the row, no claim is in progress. The count without
            -- locks is a cheap first check. The decisive one follows once this lane is Busy, and counts for as long as it is and MaxWorkers is not lowered.
            SELECT @Result = CASE WHEN @Claim = 0 THEN 'Ended'
                                  WHEN ISNULL(s.Started, 0) = 0 OR s.Version <> {{.VersionLit}} THEN 'Stopped'
                                  WHEN NOT ({{.ByName}}) THEN 'Moved'
                                  WHEN @LaneId > s.MaxLanes OR s.MaxWorkers >= @CountedFor THEN NULL
                                  WHEN s.MaxWorkers <= (SELECT COUNT(*)
                                                        FROM {{.Schema}}.Lanes AS l WITH (NOLOCK)
                                                        WHERE l.LaneId <= s.MaxLanes AND l.LaneId <> @LaneId AND l.State <> 'Idle') THEN 'Limit' END,
                   @MaxWorkers = s.MaxWorkers, @Policy = s.Policy, @NextSweepAt = s.NextSweepAt,
                   @TaskId = NULL, @ProcessId = NULL, @EndedOrder = NULL, @EndedHolds = 0, @EndedHadWork = 1, @Usable = 0, @Early = 0
            FROM (VALUES (1)) AS o (One)
            LEFT JOIN {{.Schema}}.Settings AS s WITH (REPEATABLEREAD, ROWLOCK) ON s.SettingsId = CASE @Claim WHEN 1 THEN 1 END;

            -- Each is for a success only. That costs the other outcomes a little, and not every task a statement.
            UPDATE p
            SET p.Running = CASE WHEN p.Running > 0 THEN p.Running - 1 ELSE 0 END,
                p.TasksSucceeded = p.TasksSucceeded + 1, @EndedHadWork = p.HasWork
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @EndedProcessId AND @Outcome = 'Succeeded';

            UPDATE t
            SET @EndedOrder = t.ExecutionOrder,
                @EndedHolds = CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK)
                                                WHERE r.ProcessId = @EndedProcessId AND r.TaskId IS NOT NULL AND r.TaskId = @EndedTaskId) THEN 1 ELSE 0 END,
                t.Status = 'Succeeded', t.LaneId = NULL, t.WorkerId = NULL, t.StopAt = NULL, t.StopOutcome = NULL, t.FinishedAt = SYSUTCDATETIME()
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @EndedTaskId AND t.Attempt = @EndedAttempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping') AND @Outcome = 'Succeeded';

            UPDATE g
            SET g.EndedAt = SYSUTCDATETIME(), g.Outcome = 'Succeeded', g.RowsAffected = @Rows
            FROM {{.Schema}}.Logs AS g WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE g.LogId = @EndedLogId AND @Outcome = 'Succeeded';

            IF @Result IS NOT NULL OR @EndedHolds = 1 OR @EndedHadWork = 0 OR (@Outcome IS NOT NULL AND @EndedOrder IS NULL)
            BEGIN
                IF @Outcome <> 'Succeeded'
                    EXEC {{.Schema}}.FailTask @EndedTaskId, @EndedAttempt, @EndedProcessId, @EndedLogId, @LaneId, @WorkerId, @Outcome, @Rows,
                                              @ErrorNumber, @ErrorMessage, @ErrorProcedure, @ErrorLine, @NoRetry, @EndedOrder OUTPUT, @EndedHolds OUTPUT;

                IF @Outcome IS NOT NULL AND @EndedOrder IS NULL
                BEGIN
                    SET @Result = 'Lost';
                    IF @Joined = 1 -- the caller rolls back
                        COMMIT TRANSACTION;
                    ELSE
                        ROLLBACK TRANSACTION;
                    CONTINUE;
                END;

                -- Release the task's resource, and any that it acquired itself, to the next in line. A retry joins the line again.
                IF @EndedHolds = 1
                    EXEC {{.Schema}}.LeaveResourceLine @EndedProcessId, @EndedTaskId;

                IF @Outcome IS NOT NULL -- this worker takes the first task of a new wave
                    EXEC {{.Schema}}.EndWave @EndedProcessId, @EndedOrder, 1, @Outcome;

                -- Who holds the lock on a resource must not wait for that of another.
                IF @Result IS NOT NULL OR @EndedHolds = 1
                BEGIN
                    COMMIT TRANSACTION;
                    SET @Outcome = NULL;
                    -- Another server or name: work continues after a failover, but not in a copy.
                    IF @Result = 'Moved'
                    BEGIN
                        EXEC {{.Schema}}.ComeHome 0, 0, NULL, NULL, @Home OUTPUT;
                        SET @Result = CASE WHEN @Home = 0 THEN 'Stopped' END;
                    END;
                    CONTINUE;
                END;
            END;

            -- Choose a process without locks: READPAST would skip one that another worker is claiming from. Lock it and check it again: like
            -- all locks by its primary key, because a lock on an entry of another index blocks no other session. Another process than that
            -- of the ended attempt is locked in a transaction of its own: two workers could wait for each other.
            SELECT @ProcessId = c.ProcessId, @Usable = CASE WHEN p.ProcessId IS NULL THEN 0 ELSE 1 END, @TaskId = t.TaskId, @Order = t.ExecutionOrder, @Attempt = t.Attempt + 1,
                   @SqlText = t.SqlText, @UserId = t.EnqueuedById, @UserSid = t.EnqueuedBySid, @UserName = t.EnqueuedByName,
                   @TimeoutSeconds = t.TimeoutSeconds, @ResourceId = t.ResourceId, @Access = t.Access, @Parameters = t.Parameters,
                   @Transactional = t.Transactional, @DedupKey = t.DedupKey, @Now = SYSUTCDATETIME(), @Rank = t.Rank,
                   @TransactionId = t.TransactionId, @Keep = f.Asked, @FromOrder = f.FromOrder, @FromRank = f.FromRank, @FromTaskId = f.FromTaskId,
                   -- dbo is the current owner of the database. Every other user must be the same principal with the same SID.
                   @UserExists = CASE WHEN USER_NAME(t.EnqueuedById) = t.EnqueuedByName
                                           AND EXISTS (SELECT 1 FROM sys.database_principals AS u
                                                       WHERE u.principal_id = t.EnqueuedById AND (u.principal_id = 1 OR u.sid = t.EnqueuedBySid)) THEN 1 ELSE 0 END
            FROM (SELECT TOP (1) q.ProcessId
                  FROM {{.Schema}}.Processes AS q WITH (NOLOCK)
                  WHERE q.HasWork = 1 AND q.Status IN ('Open', 'Closing') AND (q.MaxParallel IS NULL OR q.Running < q.MaxParallel)
                  ORDER BY CASE WHEN @Policy = 'RoundRobin' THEN q.Running * 1000 / q.Weight ELSE 0 END,
                           CASE WHEN @Policy = 'RoundRobin' THEN q.LastServedAt ELSE NULL END,
                           CASE WHEN @Policy = 'Priority' THEN -q.Priority ELSE 0 END,
                           q.ProcessId) AS c
            OUTER APPLY (SELECT k.ProcessId, k.WaveOrder, k.WaveRank, k.WaveTaskId, k.Running
                         FROM {{.Schema}}.Processes AS k WITH (UPDLOCK, ROWLOCK, FORCESEEK, INDEX (PK_Processes))
                         -- In the key: a filter may be applied only after the row is locked.
                         WHERE k.ProcessId = CASE WHEN @Outcome IS NULL OR c.ProcessId = @EndedProcessId THEN c.ProcessId END
                           AND k.HasWork = 1 AND k.Status IN ('Open', 'Closing') AND (k.MaxParallel IS NULL OR k.Running < k.MaxParallel)) AS p
            OUTER APPLY {{.Schema}}.WaveOf(p.ProcessId, p.WaveOrder, p.WaveRank, p.WaveTaskId, p.Running) AS f
            OUTER APPLY (SELECT n.* FROM {{.Schema}}.Tasks AS n WITH (NOLOCK, FORCESEEK) WHERE n.TaskId = f.TaskId) AS t
            OPTION (MAXDOP 1);

            IF @TaskId IS NULL OR @UserId <> @OnlyUserId OR @DedupKey IS NOT NULL OR @ResourceId IS NOT NULL
               OR @CountedFor IS NULL OR @CountedFor > @MaxWorkers OR (@Policy = 'RoundRobin' AND @Outcome IS NULL) OR @TimeoutSeconds IS NOT NULL
               OR @Order > @EndedOrder OR @FromOrder IS NULL OR @Order > @FromOrder
            BEGIN
                IF @ProcessId IS NULL
                    SET @Result = 'None';
                ELSE IF @TaskId IS NULL AND @Usable = 1
                BEGIN
                    -- The second look, in EndWave, finds tasks committed during the first: the dispatcher checks only rows with
                    -- HasWork = 0, so 0 must be written before the last look.
                    UPDATE p SET p.HasWork = 0 FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE p.ProcessId = @ProcessId;
                    IF @Outcome IS NULL
                        EXEC {{.Schema}}.EndWave @ProcessId, NULL, 1, NULL;
                END
                -- Other processes may have been served during the wait for the lock, if it was not held before: is it still this one's turn?
                ELSE IF @Policy = 'RoundRobin' AND @Outcome IS NULL AND @Changes < 5
                        AND @ProcessId <> (SELECT TOP (1) p.ProcessId
                                           FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
                                           WHERE p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)
                                           ORDER BY p.Running * 1000 / p.Weight, p.LastServedAt, p.ProcessId)
                    SELECT @TaskId = NULL, @Changes = @Changes + 1;
                ELSE IF @OnlyUserId <> @UserId
                    SELECT @Result = 'OtherUser', @TaskId = NULL;
                -- May a task that is not of the watermark's wave start? It is early if a task before it, of its transaction, is still locked,
                -- because a commit releases its locks one by one. And may the watermark move to it? Without one, running tasks of later waves
                -- keep it away: they would look like tasks of this one.
                ELSE IF @TaskId IS NOT NULL AND (@FromOrder IS NULL OR @Order > @FromOrder)
                BEGIN
                    IF EXISTS (SELECT 1 FROM {{.Schema}}.PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o
                               WHERE o.TransactionId = @TransactionId)
                        SELECT @Early = 1, @TaskId = NULL;
                    IF @FromOrder IS NULL
                       AND EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS r WITH (NOLOCK, FORCESEEK, INDEX (IX_Tasks_Worker))
                                   WHERE r.LaneId > 0 AND r.WorkerId IS NOT NULL AND r.ProcessId = @ProcessId AND r.ExecutionOrder > @Order)
                        SET @Keep = 1;
                END;
                SET @ChosenId = @TaskId;
                IF @TaskId IS NOT NULL
                    EXEC {{.Schema}}.AdmitTask @LaneId, @WorkerId, @ProcessId, @Attempt, @DedupKey, @UserSid, @ResourceId, @Access, @MaxWorkers,
                                               @TaskId OUTPUT, @SqlText OUTPUT, @Parameters OUTPUT, @CountedFor OUTPUT, @Result OUTPUT;

                IF @TaskId IS NULL AND @ChosenId IS NOT NULL AND @Result IS NULL AND @Order = @FromOrder -- skipped, or in a line
                BEGIN
                    UPDATE p
                    SET p.WaveRank = @Rank, p.WaveTaskId = @ChosenId
                    FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE p.ProcessId = @ProcessId;
                    EXEC {{.Schema}}.MoveWatermark @ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @ChosenId;
                END;

                IF @TaskId IS NULL
                BEGIN
                    IF @Outcome IS NOT NULL AND (@EndedHadWork = 1 OR @ProcessId IS NOT NULL) -- else it has just been called
                    BEGIN
                        SET @Usable = CASE WHEN @ProcessId = @EndedProcessId THEN 1 ELSE 0 END;
                        EXEC {{.Schema}}.EndWave @EndedProcessId, @EndedOrder, @Usable, @Outcome;
                    END;
                    COMMIT TRANSACTION;
                    SET @Outcome = NULL;
                    IF @Early = 1
                        WAITFOR DELAY '00:00:00.010';
                    CONTINUE;
                END;

                -- The dispatcher sets its timer for the deadline, unless the next sweep comes first.
                IF DATEADD(second, @TimeoutSeconds, @Now) < @NextSweepAt
                    EXEC {{.Schema}}.SendWake;
                IF @Order > @EndedOrder AND @EndedHadWork = 1 -- a new wave may need more workers than this one
                    EXEC {{.Schema}}.EndWave @EndedProcessId, @EndedOrder, 1, @Outcome;
            END;

            UPDATE p
            SET p.Running = p.Running + 1, p.LastServedAt = @Now,
                p.WaveOrder = CASE @Keep WHEN 0 THEN @Order ELSE p.WaveOrder END, p.WaveRank = CASE @Keep WHEN 0 THEN @Rank ELSE p.WaveRank END,
                p.WaveTaskId = CASE @Keep WHEN 0 THEN @TaskId ELSE p.WaveTaskId END
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;

            INSERT INTO {{.Schema}}.Logs WITH (ROWLOCK)
                (TaskId, ProcessId, ExecutionOrder, Attempt, SqlText, EnqueuedBySid, EnqueuedByName, LaneId, WorkerId, SessionId, StartedAt)
            VALUES
                (@TaskId, @ProcessId, @Order, @Attempt, LEFT(@SqlText, 4000), @UserSid, @UserName, @LaneId, @WorkerId, @@SPID, @Now);

            UPDATE t
            SET t.Status = 'Running', t.Attempt = @Attempt, t.LaneId = @LaneId, t.WorkerId = @WorkerId, @LogId = t.LogId = SCOPE_IDENTITY(), t.StartedAt = @Now,
                t.StopAt = DATEADD(second, @TimeoutSeconds, @Now), t.StopOutcome = NULL, t.StopTries = 0, @Result = 'Task'
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE t.TaskId = @TaskId;

            IF @Keep = 0 AND EXISTS (SELECT 1 FROM {{.Schema}}.PassedOver(@ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId) AS o)
                EXEC {{.Schema}}.MoveWatermark @ProcessId, @FromOrder, @FromRank, @FromTaskId, @Order, @Rank, @TaskId;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            IF @Joined = 1 -- the caller must first roll back the work of the transactional task
                THROW;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            IF ERROR_NUMBER() <> 1222 OR @Outcome IS NOT NULL
                SET @Tries = @Tries + 1;
            IF @Outcome IS NULL AND (@Tries >= 10 OR ERROR_NUMBER() NOT IN (601, 1205, 1222, 3960, 51011))
                THROW;
            SELECT @Result = NULL, @CountedFor = NULL;

            -- The work is done and must not be done twice, so its own worker never gives up. A session that reports a dead worker does, at
            -- once if another one holds the process; the next sweep, or worker in its lane, tries again.
            IF @Outcome IS NOT NULL
            BEGIN
                SET @Claim = 0;
                IF @Tries % 20 = 16
                    EXEC {{.Schema}}.AlarmOfError @Kind = 'LostCompletion', @What = N'The end of an attempt cannot be recorded, and is retried: ',
                                                  @ProcessId = @EndedProcessId, @TaskId = @EndedTaskId, @LaneId = @LaneId;
                IF @Outcome = 'Orphaned' AND (@Tries = 16 OR (@ErrorNumber = 51023 AND ERROR_NUMBER() = 1222)) -- 51023: see RecoverLane
                    SET @Result = 'Lost';
            END;

            IF @Outcome IS NULL OR @Tries <= 5
                WAITFOR DELAY '00:00:00.050';
            ELSE
                WAITFOR DELAY '00:00:03';
        END CATCH;
    END;
END;
