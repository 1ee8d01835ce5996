-- Procedure: WorkLane
-- Purpose: Runs tasks one after another until no task is left or the worker must leave.
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @UserId int OUTPUT: principal whose tasks this session runs; NULL before the first task
--   @TasksRun int OUTPUT: number of tasks this session has run
--   @Outcome varchar(10) OUTPUT: Idle, Stopped, Limit, or a reason for a new session: OtherUser, Renew
-- Errors: none raised; it acts on these errors of tasks:
--   51035: a transactional task ended or replaced its transaction; no retry
--   51037: REVERT in a task undid more than the task's own EXECUTE AS; raises an alarm
-- Example: see the activation procedures of the lanes
CREATE OR ALTER PROCEDURE {{.Schema}}.WorkLane
    @LaneId int,
    @WorkerId uniqueidentifier,
    @UserId int OUTPUT,
    @TasksRun int OUTPUT,
    @Outcome varchar(10) OUTPUT
AS
BEGIN
{{.SetOptions}}
    -- Settings for the tasks, whatever the session in TaskScheduler uses.
    SET LOCK_TIMEOUT -1;
    SET LANGUAGE us_english;
    SET DATEFIRST 7;
    SET DATEFORMAT mdy;
    SET ANSI_NULL_DFLT_ON ON;
    SET CURSOR_CLOSE_ON_COMMIT OFF;
    DECLARE @Result varchar(10), @TaskId bigint, @Attempt int, @ProcessId int, @LogId bigint, @SqlText nvarchar(max);
    DECLARE @TaskUserId int, @UserSid varbinary(85), @UserName nvarchar(128);
    DECLARE @Rows bigint, @ErrorNumber int, @ErrorMessage nvarchar(4000), @ErrorProcedure nvarchar(300), @ErrorLine int;
    DECLARE @Parameters nvarchar(max), @Transactional bit, @TransactionId bigint, @NoRetry bit, @Recorded bit;
    DECLARE @TaskOutcome varchar(10), @Lost bit, @LookedTwice bit = 0;
    DECLARE @Handover nvarchar(255) = N'handover:' + CONVERT(nvarchar(10), @LaneId);
    DECLARE @BeganAt datetime2(3) = SYSUTCDATETIME();

    SET @Outcome = NULL;

    -- Held while no task runs: from before an attempt is completed until the next one is claimed. EndAttempts takes it
    -- before it ends a session, so that the session cannot start the next task meanwhile.
    EXEC sys.sp_getapplock @Resource = @Handover, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = -1, @DbPrincipal = {{.LocksRoleLit}};

    WHILE @Outcome IS NULL
    BEGIN
        EXEC {{.Schema}}.ClaimTask
            @LaneId = @LaneId, @WorkerId = @WorkerId, @OnlyUserId = @UserId, @Result = @Result OUTPUT,
            @TaskId = @TaskId OUTPUT, @Attempt = @Attempt OUTPUT, @ProcessId = @ProcessId OUTPUT, @LogId = @LogId OUTPUT,
            @SqlText = @SqlText OUTPUT, @Parameters = @Parameters OUTPUT, @Transactional = @Transactional OUTPUT,
            @UserId = @TaskUserId OUTPUT, @UserSid = @UserSid OUTPUT, @UserName = @UserName OUTPUT;

        IF @Result = 'Task'
        BEGIN
            SELECT @LookedTwice = 0, @UserId = @TaskUserId, @TransactionId = NULL, @Recorded = 0,
                   @Rows = NULL, @ErrorNumber = NULL, @ErrorMessage = NULL, @ErrorProcedure = NULL, @ErrorLine = NULL;

            EXEC sys.sp_releaseapplock @Resource = @Handover, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

            BEGIN TRY
                IF @Transactional = 1
                BEGIN
                    BEGIN TRANSACTION;
                    SET @TransactionId = CURRENT_TRANSACTION_ID();
                END;

                EXEC {{.Schema}}.RunTask
                    @TaskId = @TaskId, @SqlText = @SqlText, @Parameters = @Parameters, @TransactionId = @TransactionId, @UserId = @TaskUserId, @UserSid = @UserSid, @UserName = @UserName,
                    @Rows = @Rows OUTPUT, @ErrorNumber = @ErrorNumber OUTPUT, @ErrorMessage = @ErrorMessage OUTPUT,
                    @ErrorProcedure = @ErrorProcedure OUTPUT, @ErrorLine = @ErrorLine OUTPUT;
            END TRY
            BEGIN CATCH
                -- Not the task's own error, which RunTaskText catches, but one outside the task.
                SELECT @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
            END CATCH;

            IF @ErrorNumber IS NOT NULL AND XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            EXEC sys.sp_getapplock @Resource = @Handover, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = -1, @DbPrincipal = {{.LocksRoleLit}};

            SELECT @TasksRun = @TasksRun + 1,
                   @TaskOutcome = CASE WHEN @ErrorNumber IS NULL THEN 'Succeeded' ELSE 'Failed' END,
                   @NoRetry = CASE WHEN @Transactional = 1 AND @ErrorNumber = 51035 THEN 1 ELSE 0 END;

            -- The work of a transactional task commits with its completion, or not at all.
            IF @Transactional = 1 AND @ErrorNumber IS NULL
            BEGIN
                BEGIN TRY
                    EXEC {{.Schema}}.CompleteTask
                        @TaskId = @TaskId, @Attempt = @Attempt, @ProcessId = @ProcessId, @LogId = @LogId, @LaneId = @LaneId, @WorkerId = @WorkerId,
                        @Outcome = @TaskOutcome, @Rows = @Rows, @Lost = @Lost OUTPUT;

                    IF @Lost = 0
                        COMMIT TRANSACTION;

                    SET @Recorded = 1;
                END TRY
                BEGIN CATCH
                    -- Not the task's fault, and its work is rolled back: treat it as if its worker had died.
                    SELECT @TaskOutcome = 'Orphaned', @Rows = NULL,
                           @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
                END CATCH;

                IF XACT_STATE() <> 0
                    ROLLBACK TRANSACTION;
            END;

            IF @Recorded = 0
                EXEC {{.Schema}}.CompleteTask
                    @TaskId = @TaskId, @Attempt = @Attempt, @ProcessId = @ProcessId, @LogId = @LogId, @LaneId = @LaneId, @WorkerId = @WorkerId,
                    @Outcome = @TaskOutcome, @Rows = @Rows, @ErrorNumber = @ErrorNumber, @ErrorMessage = @ErrorMessage,
                    @ErrorProcedure = @ErrorProcedure, @ErrorLine = @ErrorLine, @NoRetry = @NoRetry, @Lost = @Lost OUTPUT;

            IF @ErrorNumber = 51037
                EXEC {{.Schema}}.RaiseAlarm @Kind = 'WorkerError', @Message = @ErrorMessage, @LaneId = @LaneId, @TaskId = @TaskId;

            -- After an error, or after many tasks, the state of the session is unknown.
            IF @Lost = 1 OR @ErrorNumber IS NOT NULL OR @TasksRun >= 100 OR DATEDIFF(second, @BeganAt, SYSUTCDATETIME()) >= 600
                SET @Outcome = 'Renew';
        END
        ELSE
        BEGIN
            -- Set Idle first, then look once more: work that arrives between the two looks finds this lane idle. A worker that
            -- must leave sets Idle too; if the lane is Assigned after that, another message is on its way.
            IF @Result = 'Stopped' OR @Result = 'Limit' OR (@Result = 'None' AND @LookedTwice = 0)
                UPDATE l
                SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME()
                FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId AND l.State <> 'Idle';

            IF @Result = 'None' AND @LookedTwice = 0
                SET @LookedTwice = 1;
            ELSE
                SET @Outcome = CASE WHEN @Result = 'None' THEN 'Idle' ELSE @Result END;
        END;
    END;

    EXEC sys.sp_releaseapplock @Resource = @Handover, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};
END;
