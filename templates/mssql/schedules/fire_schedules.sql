-- Procedure: FireSchedules
-- Purpose: Moves on the schedules that are due, in slices: records the instants that have come, decides what becomes of each (see Overlap and
-- Missed in Schedules), and starts what may start. To start a firing is to enqueue a task, in process 0, that makes the firing's process.
-- What happens to a schedule is one transaction with its next instant, so no crash loses or doubles a firing.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.FireSchedules
AS
BEGIN
    DECLARE @Now datetime2(3) = SYSUTCDATETIME(), @Round int = 0, @ScheduleId int = 0, @Name nvarchar(100), @Form varchar(400), @Zone nvarchar(128), @Overlap varchar(5), @Missed varchar(4),
            @Status varchar(9), @At datetime2(0), @LastAt datetime2(0), @Begin datetime2(0), @End datetime2(0), @Waiting int, @OwnerId int,
            @OwnerSid varbinary(85), @OwnerName nvarchar(128), @Known int, @May bit, @Busy int, @Count int, @Problem nvarchar(400),
            @Message nvarchar(2000), @Starts int, @FiringId bigint, @LastFiringId bigint;
    -- Fires: 1 = it is to fire, unless Overlap forbids; 0 = it was missed
    DECLARE @Due TABLE (DueAt datetime2(0) NOT NULL PRIMARY KEY, Fires bit NOT NULL, Late bit NOT NULL, Detail nvarchar(200) NULL);
    IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK) WHERE s.SettingsId = 1 AND s.Started = 1 AND {{.ByName}})
        RETURN;

    -- What is left is due, so the next turn follows in a second at most.
    WHILE @ScheduleId IS NOT NULL AND @Round < 100
    BEGIN
        SELECT @ScheduleId = NULL, @Known = NULL, @May = NULL, @Problem = NULL, @Round = @Round + 1, @Count = 0;
        DELETE FROM @Due;
        SELECT TOP (1) @ScheduleId = s.ScheduleId
        FROM {{.Schema}}.Schedules AS s WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE s.LookAt IS NOT NULL AND s.LookAt <= @Now
        ORDER BY s.LookAt
        OPTION (MAXDOP 1);
        IF @ScheduleId IS NULL
            BREAK;

        BEGIN TRY
            BEGIN TRANSACTION;

            -- Process 0 before the schedule: the lock order.
            SELECT @Busy = p.ProcessId
            FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = 0;

            -- dbo is the current owner of the database. Every other user must be the same principal with the same SID, see RunTask.
            SELECT @Name = s.Name, @Form = s.Form, @Zone = s.Zone, @Overlap = s.Overlap, @Missed = s.Missed, @Status = s.Status, @At = s.NextAt,
                   @LastAt = s.LastAt, @Begin = s.BeginAt, @End = s.EndAt, @Waiting = s.Waiting,
                   @LastFiringId = s.LastFiringId, @OwnerId = s.OwnerId, @OwnerSid = s.OwnerSid, @OwnerName = s.OwnerName,
                   @Known = (SELECT COUNT(*) FROM sys.database_principals AS p
                             WHERE p.principal_id = s.OwnerId AND USER_NAME(p.principal_id) = s.OwnerName AND (p.principal_id = 1 OR p.sid = s.OwnerSid))
            FROM {{.Schema}}.Schedules AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId AND s.LookAt <= @Now;
            IF @Known = 1
                EXEC {{.Schema}}.MayEnqueue @OwnerName, @May OUTPUT;
            IF @Known = 0 OR (@Known = 1 AND @May = 0)
                SELECT @Known = 0, @Problem = N'its owner ' + QUOTENAME(@OwnerName)
                    + CASE @May WHEN 0 THEN N' may no longer enqueue. Add it to a role of dbsched, or have another'
                                ELSE N' no longer exists. Have an existing' END + N' user alter its tasks';

            -- The rules of a time zone may have changed since the instant was found; hence LookAt is at most a day ahead.
            IF @Known = 1 AND @Status = 'Enabled' AND @At > @Now
                SET @At = {{.Schema}}.NextInstant(@Form, @Zone, @Begin, @End, CASE WHEN @LastAt > @Now THEN @LastAt ELSE @Now END);

            -- A firing is late after a minute: the scheduler was stopped or down, or the schedule was not enabled.
            WHILE @Known = 1 AND @Status = 'Enabled' AND @At <= @Now
            BEGIN
                INSERT INTO @Due (DueAt, Late, Fires)
                SELECT @At, l.Late, CASE WHEN l.Late = 0 OR @Missed = 'All' THEN 1 ELSE 0 END
                FROM (SELECT CASE WHEN @At < DATEADD(second, -60, @Now) THEN 1 ELSE 0 END AS Late) AS l;
                SELECT @LastAt = @At, @Count = @Count + 1;
                SET @At = {{.Schema}}.NextInstant(@Form, @Zone, @Begin, @End, @At);

                -- More than 100: the last ones count, and one row stands for the others.
                IF @Count = 100 AND @At <= @Now
                BEGIN
                    SET @LastAt = {{.Schema}}.LastInstants(@Form, @Zone, @Begin, @End, (SELECT MIN(m.DueAt) FROM @Due AS m), @Now, CASE @Missed WHEN 'All' THEN 100 ELSE 1 END);
                    DELETE d FROM @Due AS d WHERE d.DueAt > (SELECT MIN(m.DueAt) FROM @Due AS m);
                    UPDATE d
                    SET d.Fires = 0, d.Detail = N'and all others until ' + CONVERT(nvarchar(19), @LastAt, 120) + N' UTC'
                    FROM @Due AS d;
                    SET @At = {{.Schema}}.NextInstant(@Form, @Zone, @Begin, @End, @LastAt);
                END;
            END;

            -- Once: the last of the missed firings, unless another fires now.
            IF @Missed = 'Once'
                UPDATE d
                SET d.Fires = 1, d.Detail = CASE WHEN @Count > 1 THEN N'for all that were missed' END
                FROM @Due AS d
                WHERE d.DueAt = (SELECT MAX(m.DueAt) FROM @Due AS m) AND NOT EXISTS (SELECT 1 FROM @Due AS o WHERE o.Fires = 1);

            -- First the task that makes a process, then the process: they change in one transaction, of which NOLOCK may see either.
            SET @Busy = (SELECT COUNT(*) FROM {{.Schema}}.Tasks AS t WITH (NOLOCK, FORCESEEK)
                         WHERE t.ProcessId = 0 AND t.DedupKey LIKE CONVERT(nvarchar(10), @ScheduleId) + N'@%' AND t.DedupKey IS NOT NULL AND t.FinishedAt IS NULL);
            IF @Busy > 0 OR EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK, FORCESEEK)
                                    WHERE p.ScheduleId = @ScheduleId AND p.ScheduleId IS NOT NULL AND p.FinishedAt IS NULL)
                SET @Busy = 1;

            -- Skip has room for one firing, Queue for two; what All makes up for waits in any case.
            INSERT INTO {{.Schema}}.ScheduleFirings WITH (ROWLOCK) (ScheduleId, Name, DueAt, Manual, Status, Detail, OwnerSid)
            SELECT @ScheduleId, @Name, d.DueAt, 0,
                   CASE WHEN d.Fires = 0 THEN 'Missed'
                        WHEN @Overlap = 'Allow' OR (d.Late = 1 AND @Missed = 'All') OR @Waiting + @Busy + d.Nth <= CASE @Overlap WHEN 'Queue' THEN 2 ELSE 1 END THEN 'Waiting'
                        ELSE 'Skipped' END,
                   d.Detail, @OwnerSid
            FROM (SELECT u.DueAt, u.Fires, u.Late, u.Detail, ROW_NUMBER() OVER (PARTITION BY u.Fires ORDER BY u.DueAt) AS Nth FROM @Due AS u) AS d
            ORDER BY d.DueAt;
            SET @Waiting = (SELECT COUNT(*) FROM {{.Schema}}.ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK) WHERE f.ScheduleId = @ScheduleId AND f.Status = 'Waiting');
            SET @Starts = CASE WHEN @Known IS NULL OR @Known = 0 THEN 0 WHEN @Overlap = 'Allow' THEN @Waiting WHEN @Busy = 1 OR @Waiting = 0 THEN 0 ELSE 1 END;

            WHILE @Starts > 0
            BEGIN
                SELECT TOP (1) @FiringId = f.FiringId
                FROM {{.Schema}}.ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
                WHERE f.ScheduleId = @ScheduleId AND f.Status = 'Waiting'
                ORDER BY f.FiringId
                OPTION (MAXDOP 1);

                INSERT INTO {{.Schema}}.Tasks WITH (ROWLOCK)
                    (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, SqlText, MaxAttempts, RetryDelaySeconds, OnOrphan,
                     Transactional, DedupKey, EnqueuedById, EnqueuedBySid, EnqueuedByName, TransactionId)
                VALUES
                    (0, 0, 0, 0, {{.Rank "0" "0" "0"}}, 'Pending',
                     N'EXEC {{.SchemaInString}}.RunFiring @FiringId = ' + CONVERT(nvarchar(20), @FiringId) + N';', 3, 10, 'Retry', 1,
                     CONVERT(nvarchar(10), @ScheduleId) + N'@' + CONVERT(nvarchar(20), @FiringId), @OwnerId, @OwnerSid, @OwnerName, CURRENT_TRANSACTION_ID());

                UPDATE f
                SET f.Status = 'Started', f.TaskId = SCOPE_IDENTITY()
                FROM {{.Schema}}.ScheduleFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE f.FiringId = @FiringId;

                UPDATE p
                SET p.HasWork = 1
                FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE p.ProcessId = 0;
                SELECT @Starts = @Starts - 1, @Waiting = @Waiting - 1, @LastFiringId = @FiringId;
            END;

            UPDATE s
            SET s.NextAt = @At,
                s.LookAt = CASE WHEN @Status = 'Enabled' THEN CASE WHEN @At > DATEADD(day, 1, @Now) THEN DATEADD(day, 1, @Now) ELSE @At END END,
                s.LastAt = @LastAt, s.Waiting = @Waiting, s.LastFiringId = @LastFiringId
            FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId AND @Known = 1;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            -- 9820: the server no longer knows the time zone. Other errors pass.
            IF ERROR_NUMBER() <> 9820
                THROW;
            SET @Problem = LEFT(ERROR_MESSAGE(), 300) + N' Alter its calendar or time zone';
        END CATCH;

        IF @Problem IS NOT NULL
        BEGIN
            UPDATE s
            SET s.Status = 'Suspended', s.Reason = @Problem, s.LookAt = CASE WHEN @Known = 1 AND s.Waiting > 0 THEN @Now END
            FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId;
            SET @Message = N'The schedule "' + @Name + N'" is suspended: ' + @Problem + N', then enable it.';
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'ScheduleSuspended', @Message = @Message, @UserName = @OwnerName;
        END;
    END;
END;
