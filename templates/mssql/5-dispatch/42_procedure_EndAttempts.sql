-- Procedure: EndAttempts
-- Purpose: Ends attempts that have run out of time or were cancelled: says so in the task, ends the session, and has the outcome
-- written when the session is gone.
-- A worker holds its lane's handover lock whenever it runs no task. Under that lock a session that runs an attempt cannot come to
-- the next one, so that KILL (which SQL Server refuses inside a transaction) hits this attempt or nothing.
-- Access: private; called by the dispatcher only: a client that is interrupted between taking the lock and giving it back would
-- block the lane.
-- Parameters: none
-- Errors: none of its own; a session that cannot be ended is an alarm
-- Example: EXEC dbsched.EndAttempts;
CREATE OR ALTER PROCEDURE {{.Schema}}.EndAttempts
AS
BEGIN
    DECLARE @TaskId bigint, @LastTaskId bigint = 0, @ProcessId int, @Attempt int, @LaneId int, @WorkerId uniqueidentifier, @Tries int, @Locked int;
    DECLARE @SessionId int, @Granted int, @Marked int, @Killed int = 0, @Polls int = 0, @Started bit, @Message nvarchar(2000);
    DECLARE @Lane nvarchar(255), @Handover nvarchar(255), @Now datetime2(3) = SYSUTCDATETIME();

    WHILE 1 = 1
    BEGIN
        SET @TaskId = NULL;

        -- By the index that holds attempts with a deadline only: the order asked for is that of the primary key, and by
        -- that one all tasks would be read, in every turn.
        SELECT TOP (1) @TaskId = t.TaskId, @ProcessId = t.ProcessId, @Attempt = t.Attempt, @LaneId = t.LaneId, @WorkerId = t.WorkerId, @Tries = t.StopTries
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Stop))
        WHERE t.StopAt IS NOT NULL AND t.StopAt <= @Now AND t.TaskId > @LastTaskId
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

        IF @TaskId IS NULL
            BREAK;

        SELECT @LastTaskId = @TaskId, @Message = NULL, @SessionId = NULL, @Marked = 0,
               @Lane = N'lane:' + CONVERT(nvarchar(10), @LaneId), @Handover = N'handover:' + CONVERT(nvarchar(10), @LaneId);

        -- A worker that holds it is completing this attempt: it is due again in the next turn if not.
        EXEC @Granted = sys.sp_getapplock @Resource = @Handover, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 1000, @DbPrincipal = {{.LocksRoleLit}};

        IF @Granted >= 0
        BEGIN
            BEGIN TRY
                BEGIN TRANSACTION;

                SELECT @Locked = p.ProcessId
                FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
                WHERE p.ProcessId = @ProcessId;

                UPDATE t
                SET t.Status = 'Stopping', t.StopOutcome = ISNULL(t.StopOutcome, 'TimedOut'), t.StopTries = t.StopTries + 1,
                    t.StopAt = DATEADD(second, CASE WHEN t.StopTries < 5 THEN 2 ELSE 60 END, @Now) -- rolling back may take its time: look again
                FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE t.TaskId = @TaskId AND t.Attempt = @Attempt AND t.WorkerId = @WorkerId AND t.Status IN ('Running', 'Stopping') AND t.StopAt <= @Now;

                SET @Marked = @@ROWCOUNT;

                SELECT @SessionId = l.SessionId
                FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId;

                COMMIT TRANSACTION;

                -- A lane whose lock is free has no session to be ended.
                IF @Marked = 1 AND @SessionId IS NOT NULL AND APPLOCK_TEST({{.LocksRoleLit}}, @Lane, 'Exclusive', 'Session') = 0
                    EXEC {{.Schema}}.KillWorker @SessionId, @LaneId;

                SET @Killed = @Killed + @Marked;
            END TRY
            BEGIN CATCH
                -- 6107: "Only user processes can be killed", should SQL Server take an activated session for another kind.
                SET @Message = CASE WHEN ERROR_NUMBER() = 6107 THEN N' This server ends no session that Service Broker activated: here a time-out and a cancellation take effect when the task ends. '
                                    ELSE N' A sysadmin can allow dbsched to end the sessions of lanes (dbsched render --kill-script), or end this one with KILL. ' END
                             + CONVERT(nvarchar(10), ERROR_NUMBER()) + N' ' + LEFT(ERROR_MESSAGE(), 1000);
                IF XACT_STATE() <> 0
                    ROLLBACK TRANSACTION;
            END CATCH;

            EXEC sys.sp_releaseapplock @Resource = @Handover, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

            -- It is tried again, but said once; not of a session that has just gone.
            IF @Message IS NOT NULL AND @Tries = 0 AND APPLOCK_TEST({{.LocksRoleLit}}, @Lane, 'Exclusive', 'Session') = 0
            BEGIN
                SET @Message = N'Task ' + CONVERT(nvarchar(20), @TaskId) + N' was to end, but dbsched cannot end session ' + ISNULL(CONVERT(nvarchar(10), @SessionId), N'?')
                             + N', which goes on until the task ends by itself.' + @Message;
                EXEC {{.Schema}}.RaiseAlarm @Kind = 'CannotEnd', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;
            END;
        END;
    END;

    -- Write the outcomes as soon as the sessions are gone. While the scheduler runs, what takes longer is left to the timer;
    -- stopped, it has none, and nobody waits for the dispatcher.
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
