-- Procedure: StopScheduler
-- Purpose: Stops the scheduler: after it returns, no further task starts. Tasks can still be enqueued, and run after
-- StartScheduler. Calling it again is harmless.
-- Access: public: dbsched_admin
-- Parameters:
--   @Mode varchar(30) = 'Drain': Drain: running tasks finish, however long they take. Now: running tasks are cancelled as
--       in CancelTask, and not retried
-- Errors:
--   51008: @Mode is neither Drain nor Now
--   51010: called inside a transaction
-- Example: EXEC dbsched.StopScheduler;
CREATE OR ALTER PROCEDURE {{.Schema}}.StopScheduler
    @Mode varchar(30) = 'Drain'
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "StopScheduler" ""}}

{{.SetOptions}}
    DECLARE @Handle uniqueidentifier, @TaskId bigint = 0, @ProcessId int, @Locked int;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Mode = CASE LOWER(@Mode) WHEN 'drain' THEN 'Drain' WHEN LOWER('DRAIN') THEN 'Drain' WHEN 'now' THEN 'Now' END;
    IF @Mode IS NULL
        THROW 51008, N'dbsched 51008: @Mode must be Drain or Now.', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- A claim locks this row: this waits for claims in progress, and later claims read Started = 0.
        SELECT @Handle = s.TimerHandle
        FROM {{.Schema}}.Settings AS s WITH (XLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        UPDATE s
        SET s.Started = 0, s.TimerHandle = NULL, s.NextSweepAt = NULL, s.ChangedAt = CASE WHEN s.Started = 0 THEN s.ChangedAt ELSE SYSUTCDATETIME() END
        FROM {{.Schema}}.Settings AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.SettingsId = 1;

        -- The dispatcher ends idle workers.
        EXEC {{.Schema}}.SendWake;

        COMMIT TRANSACTION;

        -- After the commit, where an error dooms nothing: the conversation may be gone (NEW_BROKER, a restore), and a look into
        -- sys.conversation_endpoints may wait for every uncommitted enqueuer.
        BEGIN TRY
            IF @Handle IS NOT NULL
                END CONVERSATION @Handle;
        END TRY
        BEGIN CATCH
            IF ERROR_NUMBER() <> 8426
                THROW;
        END CATCH;

        WHILE @Mode = 'Now' AND @TaskId IS NOT NULL
        BEGIN
            SELECT @TaskId = MIN(t.TaskId)
            FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (IX_Tasks_Worker))
            WHERE t.WorkerId IS NOT NULL AND t.TaskId > @TaskId
            OPTION (MAXDOP 1);

            IF @TaskId IS NOT NULL
            BEGIN
                BEGIN TRANSACTION;

                SELECT @ProcessId = t.ProcessId
                FROM {{.Schema}}.Tasks AS t WITH (NOLOCK)
                WHERE t.TaskId = @TaskId;

                SELECT @Locked = p.ProcessId
                FROM {{.Schema}}.Processes AS p WITH (UPDLOCK, ROWLOCK)
                WHERE p.ProcessId = @ProcessId;

                UPDATE t
                SET t.Status = 'Stopping', t.StopOutcome = 'Cancelled', t.StopAt = SYSUTCDATETIME()
                FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE t.TaskId = @TaskId AND t.Status IN ('Running', 'Stopping');

                COMMIT TRANSACTION;
            END;
        END;

        -- The dispatcher ends their sessions, even while the scheduler is stopped.
        IF @Mode = 'Now'
            EXEC {{.Schema}}.SendWake;
    END TRY
{{.Undo}}

    RETURN 0;
END;
