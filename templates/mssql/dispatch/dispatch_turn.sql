-- Procedure: DispatchTurn
-- Purpose: Handles what is committed: requests, attempts to end, due tasks, runnable tasks, idle lanes, the sweep when it is due,
-- and the timer for what is due next.
-- Access: private; called by the dispatcher after it has emptied its queue.
-- Parameters:
--   @Woken bit (required): 1 = caused by the wake-up of a transaction that added tasks
-- Errors: none raised; an error raises an alarm, and the timer starts the next turn in five seconds
CREATE OR ALTER PROCEDURE {{.Schema}}.DispatchTurn
    @Woken bit
AS
BEGIN
    DECLARE @Started bit = 0, @NextSweepAt datetime2(3), @DueAt datetime2(3), @Now datetime2(3) = SYSUTCDATETIME(), @Seconds int, @RetentionDays int, @More bit = 0, @Moved bit = 0, @Home bit;

    BEGIN TRY
        -- A cheap check for each kind of work: usually there is none.
        IF EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK))
            EXEC {{.Schema}}.ApplyProcessRequests;
        IF EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK, INDEX (IX_Tasks_Stop))
                   WHERE t.StopAt IS NOT NULL AND t.StopAt <= @Now)
            EXEC {{.Schema}}.EndAttempts;
        IF EXISTS (SELECT 1 FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                   WHERE t.DueAt IS NOT NULL AND t.DueAt <= @Now)
            EXEC {{.Schema}}.ReleaseDueTasks;
        IF EXISTS (SELECT 1 FROM {{.Schema}}.Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                   WHERE s.LookAt IS NOT NULL AND s.LookAt <= @Now)
            EXEC {{.Schema}}.FireSchedules;
        IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK))
            EXEC {{.Schema}}.ServeResourceLines;
        -- In this order: a lane that becomes idle now either sees the mark or is seen as idle.
        EXEC {{.Schema}}.MarkWork;
        EXEC {{.Schema}}.AssignLanes;

        SET @Now = SYSUTCDATETIME();

        UPDATE s
        SET @RetentionDays = s.RetentionDays, s.NextSweepAt = DATEADD(second, s.IdleSweepSeconds, @Now),
            -- Identifies the database after a failover.
            s.HomeGroupId = ISNULL((SELECT d.group_database_id FROM sys.databases AS d WHERE d.database_id = DB_ID()), s.HomeGroupId)
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1 AND s.Started = 1 AND {{.ByName}}
          AND (s.NextSweepAt IS NULL OR s.NextSweepAt <= @Now
               OR s.NextSweepAt > DATEADD(second, s.IdleSweepSeconds, @Now)); -- the clock was set back

        IF @@ROWCOUNT = 1
        BEGIN
            EXEC {{.Schema}}.RunSweep @RetentionDays, @More OUTPUT;
            EXEC {{.Schema}}.AssignLanes;

            -- A slice was full: the next one follows in a second, otherwise history could grow faster than it is pruned.
            IF @More = 1
                UPDATE s
                SET s.NextSweepAt = DATEADD(second, 1, @Now)
                FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.SettingsId = 1 AND s.Started = 1;
        END;

        SELECT @Started = s.Started, @NextSweepAt = s.NextSweepAt, @Moved = CASE WHEN {{.ByName}} THEN 0 ELSE 1 END
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        IF @Started = 1 AND @Moved = 0
        BEGIN
            -- The filters of the indexes, and ranges: FORCESEEK needs a seek predicate. Of schedules only those before the sweep: a thousand
            -- others cost nothing.
            SELECT @DueAt = MIN(x.At)
            FROM (SELECT (SELECT TOP (1) t.DueAt FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE t.DueAt IS NOT NULL AND t.DueAt >= '20000101' ORDER BY t.DueAt) AS At
                  UNION ALL
                  SELECT (SELECT TOP (1) t.StopAt FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE t.StopAt IS NOT NULL AND t.StopAt >= '20000101' ORDER BY t.StopAt)
                  UNION ALL
                  SELECT (SELECT TOP (1) r.LeaseUntil FROM {{.Schema}}.ResourceRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE r.LeaseUntil IS NOT NULL AND r.LeaseUntil >= '20000101' ORDER BY r.LeaseUntil)
                  UNION ALL
                  SELECT (SELECT TOP (1) s.LookAt FROM {{.Schema}}.Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                          WHERE s.LookAt IS NOT NULL AND s.LookAt <= @NextSweepAt ORDER BY s.LookAt)) AS x
            WHERE x.At IS NOT NULL
            OPTION (MAXDOP 1);

            SET @Now = SYSUTCDATETIME();

            -- NULL means that the next sweep is due now.
            SET @NextSweepAt = ISNULL(@NextSweepAt, @Now);
            IF @DueAt IS NULL OR @DueAt > @NextSweepAt
                SET @DueAt = @NextSweepAt;

            -- The timer counts whole seconds. Round up: if it fired early, it would find nothing due. After a second look again: a commit
            -- releases its locks one by one, and READPAST skips rows that are still locked.
            SET @Seconds = CASE WHEN @Woken = 1 OR @DueAt <= @Now THEN 1 ELSE (DATEDIFF(millisecond, @Now, @DueAt) + 999) / 1000 END;
            EXEC {{.Schema}}.ArmTimer @Seconds;
        END
        ELSE IF @Started = 1
        BEGIN
            -- Another server or name: work continues after a failover, but not in a copy.
            EXEC {{.Schema}}.ComeHome 0, 0, NULL, NULL, @Home OUTPUT;
            IF @Home = 1
                EXEC {{.Schema}}.ArmTimer @Seconds = 1;
        END
        ELSE -- there is no sweep
            DELETE TOP (5000) w FROM {{.Schema}}.WakeSent AS w WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK);
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        -- Separately, so that a timer that cannot be set does not hide the cause.
        EXEC {{.Schema}}.AlarmOfError @Kind = 'DispatchError', @What = N'The dispatcher failed and tries again in five seconds: ';
        BEGIN TRY
            EXEC {{.Schema}}.ArmTimer 5;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;
    END CATCH;
END;
