-- Procedure: RunSweep
-- Purpose: Does the periodic work, one slice at a time: dead workers, processes to close, tasks committed after their process
-- had ended, queues, and pruning of history.
-- Access: private
-- Parameters:
--   @RetentionDays int (required): history older than this is deleted
--   @More bit OUTPUT: 1 = a slice was full, so there is more to do
CREATE OR ALTER PROCEDURE {{.Schema}}.RunSweep
    @RetentionDays int,
    @More bit OUTPUT
AS
BEGIN
    DECLARE @LaneId int, @LastProcessId int, @Rows int, @Held bit, @Locked int, @Cutoff datetime2(3) = DATEADD(day, -@RetentionDays, SYSUTCDATETIME()), @Full bit, @Message nvarchar(2000);

    SET @More = 0;

    EXEC {{.Schema}}.FreeDeadLanes;
    EXEC {{.Schema}}.RepairQueues N'';
    EXEC {{.Schema}}.SweepRounds;
    IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK) WHERE r.SessionId IS NOT NULL)
        EXEC {{.Schema}}.FreeStaleResources;

    -- Attempts that their worker did not record before it ended, in lanes that are now idle.
    SET @LaneId = 0;
    WHILE @LaneId IS NOT NULL
    BEGIN
        SELECT @LaneId = MIN(t.LaneId)
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
        WHERE t.WorkerId IS NOT NULL AND t.LaneId > @LaneId
        OPTION (MAXDOP 1);

        IF @LaneId IS NOT NULL
            EXEC {{.Schema}}.RecoverLane @LaneId;
    END;

    -- Ended tasks in a resource's line, though there should be none; and granted ones that an earlier wave, which may need it, delays.
    SET @LastProcessId = 0;
    WHILE @LastProcessId IS NOT NULL
    BEGIN
        SELECT @LastProcessId = MIN(r.ProcessId)
        FROM {{.Schema}}.ResourceRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        INNER JOIN {{.Schema}}.Tasks AS t WITH (NOLOCK) ON t.TaskId = r.TaskId
        WHERE r.TaskId IS NOT NULL AND r.ProcessId > @LastProcessId AND (t.FinishedAt IS NOT NULL OR t.Status = 'Pending')
        OPTION (MAXDOP 1);

        IF @LastProcessId IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            EXEC {{.Schema}}.LockProcess @LastProcessId, @Held OUTPUT;
            IF @Held = 0
                EXEC {{.Schema}}.LeaveResourceLine @LastProcessId;

            COMMIT TRANSACTION;
        END;
    END;

    -- Tasks before a watermark for which no look was asked: the enqueuer's statement failed in between, and its transaction was committed.
    INSERT INTO {{.Schema}}.ProcessRequests WITH (ROWLOCK) (ProcessId, Action)
    SELECT p.ProcessId, 'Look'
    FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
    WHERE p.FinishedAt IS NULL AND p.WaveOrder IS NOT NULL
      AND EXISTS (SELECT 1 FROM {{.Schema}}.PassedOver(p.ProcessId, NULL, -99999999999999999999999999, 0, p.WaveOrder, p.WaveRank, p.WaveTaskId) AS o)
    OPTION (MAXDOP 1);
    IF @@ROWCOUNT > 0
        EXEC {{.Schema}}.SendWake;

    -- Closing processes with no unfinished tasks, because the last enqueuer rolled back.
    SET @LastProcessId = 0;
    WHILE @LastProcessId IS NOT NULL
    BEGIN
        SELECT @LastProcessId = MIN(p.ProcessId)
        FROM {{.Schema}}.Processes AS p WITH (NOLOCK)
        WHERE p.FinishedAt IS NULL AND p.Status = 'Closing' AND p.ProcessId > @LastProcessId;

        IF @LastProcessId IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            EXEC {{.Schema}}.LockProcess @LastProcessId, @Held OUTPUT;
            IF @Held = 0
                EXEC {{.Schema}}.CloseIfDone @LastProcessId;

            COMMIT TRANSACTION;
        END;
    END;

    -- Tasks that were enqueued while their process ended, and committed after it had ended. Their transactions may have been
    -- open for any time, so start from the tasks: one seek for each process with unfinished tasks.
    SET @LastProcessId = 0;
    WHILE @LastProcessId IS NOT NULL
    BEGIN
        SELECT @LastProcessId = MIN(t.ProcessId)
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.FinishedAt IS NULL AND t.ProcessId > @LastProcessId
        OPTION (MAXDOP 1);

        IF EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK) WHERE p.ProcessId = @LastProcessId AND p.FinishedAt IS NOT NULL)
        BEGIN
            BEGIN TRANSACTION;

            -- READPAST: a process that is being halted skips its tasks itself, which may take long; the dispatcher must not wait.
            SET @Locked = NULL;

            SELECT @Locked = p.ProcessId
            FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, READPAST, READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
            WHERE p.ProcessId = @LastProcessId AND p.FinishedAt IS NOT NULL; -- and it was not opened again meanwhile

            UPDATE TOP (500) t
            SET t.Status = 'Skipped', t.WaitReason = NULL, t.DueAt = NULL, t.FinishedAt = SYSUTCDATETIME()
            FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
            WHERE t.ProcessId = @Locked AND t.FinishedAt IS NULL AND t.Status IN ('Pending', 'Waiting')
            OPTION (MAXDOP 1);

            SET @Rows = @@ROWCOUNT;
            IF @Rows = 500
                SET @More = 1;

            IF @Rows > 0
            BEGIN
                SET @Message = CONVERT(nvarchar(10), @Rows) + N' tasks were committed after their process had ended, and were skipped. To run them anyway, call RetryProcess.';
                EXEC {{.Schema}}.RaiseAlarm @Kind = 'LateTask', @Message = @Message, @ProcessId = @LastProcessId;
            END;

            COMMIT TRANSACTION;
        END;
    END;

    EXEC {{.Schema}}.PruneHistory @Cutoff, @Rows OUTPUT, @Full OUTPUT;

    -- Marks of ended transactions: not in each turn, which would pass over all that were deleted before.
    DELETE TOP (5000) w FROM {{.Schema}}.WakeSent AS w WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK);

    IF @@ROWCOUNT = 5000 OR @Full = 1
        SET @More = 1;
END;
