-- Procedure: EndAttempts
-- Purpose: Ends attempts that timed out or were cancelled: marks the task, ends the session, and records the outcome once the
-- session has ended.
-- A worker holds its lane's handover lock while it runs no task. While EndAttempts holds that lock, the session cannot start its next
-- task, so KILL (which SQL Server refuses inside a transaction) ends this attempt or nothing.
-- Access: private; called only by the dispatcher: a client interrupted between taking and releasing the lock would block the
-- lane.
-- Errors: none of its own; raises an alarm if a session cannot be ended
CREATE OR ALTER PROCEDURE {{.Schema}}.EndAttempts
AS
BEGIN
    DECLARE @TaskId bigint, @LastTaskId bigint = 0, @ProcessId int, @Attempt int, @LaneId int, @WorkerId uniqueidentifier, @Tries int, @Held bit, @Later bit = 0;
    DECLARE @SessionId int, @Granted int, @Marked int, @Killed int = 0, @Polls int = 0, @Started bit, @Message nvarchar(2000);
    DECLARE @Lane nvarchar(255), @Handover nvarchar(255), @Now datetime2(3) = SYSUTCDATETIME();

    WHILE 1 = 1
    BEGIN
        SET @TaskId = NULL;

        -- Force the index that holds only attempts with a deadline: the ORDER BY is that of the primary key, which would read
        -- all tasks in every turn.
        SELECT TOP (1) @TaskId = t.TaskId, @ProcessId = t.ProcessId, @Attempt = t.Attempt, @LaneId = t.LaneId, @WorkerId = t.WorkerId, @Tries = t.StopTries
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Stop))
        WHERE t.StopAt IS NOT NULL AND t.StopAt <= @Now AND t.TaskId > @LastTaskId
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

        IF @TaskId IS NULL
            BREAK;

        SELECT @LastTaskId = @TaskId, @Message = NULL, @SessionId = NULL, @Marked = 0, @Held = 1,
               @Lane = N'lane:' + CONVERT(nvarchar(10), @LaneId), @Handover = N'handover:' + CONVERT(nvarchar(10), @LaneId);

        -- If the worker holds the lock, it is completing this attempt; otherwise the attempt is due again in the next turn.
        EXEC @Granted = sys.sp_getapplock @Resource = @Handover, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 1000, @DbPrincipal = {{.LocksRoleLit}};

        IF @Granted >= 0
        BEGIN
            BEGIN TRY
                BEGIN TRANSACTION;

                EXEC {{.Schema}}.LockProcess @ProcessId, @Held OUTPUT;

                IF @Held = 0
                    UPDATE t
                    SET t.Status = 'Stopping', t.StopOutcome = ISNULL(t.StopOutcome, 'TimedOut'), t.StopTries = t.StopTries + 1, @Marked = 1,
                        t.StopAt = DATEADD(second, CASE WHEN t.StopTries < 5 THEN 2 ELSE 60 END, @Now) -- a rollback may take long: check again
                    FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE t.TaskId = @TaskId AND t.Attempt = @Attempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping') AND t.StopAt <= @Now;

                SELECT @SessionId = l.SessionId
                FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

                COMMIT TRANSACTION;

                -- A lane with a free lock has no session to end.
                IF @Marked = 1 AND @SessionId IS NOT NULL AND APPLOCK_TEST({{.LocksRoleLit}}, @Lane, 'Exclusive', 'Session') = 0
                    EXEC {{.Schema}}.KillWorker @SessionId, @LaneId;

                SET @Killed = @Killed + @Marked;
            END TRY
            BEGIN CATCH
                -- 6107: "Only user processes can be killed", in case SQL Server does not count activated sessions as such.
                SET @Message = CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + LEFT(ERROR_MESSAGE(), 1000);
                SET @Message = CASE WHEN ERROR_NUMBER() = 6107
                                    THEN N' This server cannot end sessions that Service Broker activated, so timeouts and cancellations take effect when the task ends. ' + @Message
                                    WHEN EXISTS (SELECT 1 FROM sys.crypt_properties AS c WHERE c.class = 1 AND c.major_id = OBJECT_ID({{str .KillProcedure}}, N'P'))
                                    THEN N' The kill script has been run, but its login is missing on this server or lacks a right. A sysadmin runs it again, or uses KILL. ' + @Message
                                    ELSE N' Nobody has allowed dbsched to end sessions. A sysadmin runs the output of dbsched render --kill-script once, or uses KILL.' END;
                IF XACT_STATE() <> 0
                    ROLLBACK TRANSACTION;
            END CATCH;

            EXEC sys.sp_releaseapplock @Resource = @Handover, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

            -- It is retried, but raises one alarm (twice the same, should a dispatcher die here), and none for a session that has just ended.
            IF @Message IS NOT NULL AND @Tries <= 1 AND APPLOCK_TEST({{.LocksRoleLit}}, @Lane, 'Exclusive', 'Session') = 0
            BEGIN
                SET @Message = N'Task ' + CONVERT(nvarchar(20), @TaskId) + N' was cancelled or timed out, but dbsched cannot end its session ' + ISNULL(CONVERT(nvarchar(10), @SessionId), N'?')
                             + N', which continues until the task ends by itself.' + @Message;
                EXEC {{.Schema}}.RaiseAlarm @Kind = 'CannotEnd', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;
            END;
        END;

        IF @Held = 1
            SET @Later = 1;
    END;

    IF @Later = 1 -- in the next turn, also while the scheduler is stopped and has no timer
        EXEC {{.Schema}}.SendWake;

    -- Record the outcomes as soon as the sessions have ended. While the scheduler runs, the timer handles what takes longer.
    -- While it is stopped there is no timer, and no session waits for the dispatcher.
    WHILE @Killed > 0
    BEGIN
        EXEC {{.Schema}}.FreeDeadLanes;

        IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                       WHERE t.StopAt IS NOT NULL AND t.StopAt <= DATEADD(second, 2, @Now) AND t.Status = 'Stopping')
            BREAK;

        SELECT @Started = s.Started
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        SET @Polls = @Polls + 1;
        IF @Polls > CASE WHEN @Started = 1 THEN 5 ELSE 600 END
            BREAK;

        WAITFOR DELAY '00:00:00.100';
    END;
END;
