-- Procedure: WorkLane
-- Purpose: Runs tasks one after another until no task is left or the worker must leave.
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @UserId int OUTPUT: principal whose tasks this session runs; NULL before the first task
--   @TasksRun int OUTPUT: number of tasks this session has run
--   @Outcome varchar(10) OUTPUT: pass NULL. Idle, Stopped, Limit, or a reason for a new session: OtherUser, Renew
-- Errors: none raised; it acts on this error of tasks:
--   51035: a transactional task ended or replaced its transaction; no retry
CREATE OR ALTER PROCEDURE {{.Schema}}.WorkLane
    @LaneId int,
    @WorkerId uniqueidentifier,
    @UserId int OUTPUT,
    @TasksRun int OUTPUT,
    @Outcome varchar(10) OUTPUT
AS
BEGIN
    DECLARE @Result varchar(10), @TaskId bigint, @Attempt int, @ProcessId int, @LogId bigint, @SqlText nvarchar(max), @Parameters nvarchar(max),
            @Transactional bit, @TaskUserId int, @UserName nvarchar(128), @UserExists bit, @CountedFor int, @Claim bit = 1,
            @TaskOutcome varchar(10), @Rows bigint, @ErrorNumber int, @ErrorMessage nvarchar(4000), @ErrorProcedure nvarchar(300), @ErrorLine int,
            @NoRetry bit = 0, @TransactionId bigint, @BeganAt datetime2(3) = SYSUTCDATETIME();

    -- For NextTask: halting or cancelling many tasks locks a process row for long. Waiting for it, a claim would lock the settings, for
    -- which others wait. RunTask sets no limit for the task.
    SET LOCK_TIMEOUT 1000;

    WHILE @Outcome IS NULL
    BEGIN
        EXEC {{.Schema}}.NextTask
            @LaneId = @LaneId, @WorkerId = @WorkerId, @Claim = @Claim, @OnlyUserId = @UserId,
            @Outcome = @TaskOutcome, @Rows = @Rows, @ErrorNumber = @ErrorNumber, @ErrorMessage = @ErrorMessage,
            @ErrorProcedure = @ErrorProcedure, @ErrorLine = @ErrorLine, @NoRetry = @NoRetry,
            @CountedFor = @CountedFor OUTPUT, @Result = @Result OUTPUT,
            @TaskId = @TaskId OUTPUT, @Attempt = @Attempt OUTPUT, @ProcessId = @ProcessId OUTPUT, @LogId = @LogId OUTPUT,
            @SqlText = @SqlText OUTPUT, @Parameters = @Parameters OUTPUT, @Transactional = @Transactional OUTPUT,
            @UserId = @TaskUserId OUTPUT, @UserName = @UserName OUTPUT, @UserExists = @UserExists OUTPUT;

        IF @Result = 'Task' AND @Transactional = 0
            EXEC {{.Schema}}.RunTask
                @TaskId = @TaskId, @SqlText = @SqlText, @Parameters = @Parameters, @TransactionId = NULL,
                @UserId = @TaskUserId, @UserName = @UserName, @UserExists = @UserExists, @Outcome = @TaskOutcome OUTPUT,
                @Rows = @Rows OUTPUT, @ErrorNumber = @ErrorNumber OUTPUT, @ErrorMessage = @ErrorMessage OUTPUT,
                @ErrorProcedure = @ErrorProcedure OUTPUT, @ErrorLine = @ErrorLine OUTPUT;
        ELSE IF @Result = 'Task'
        BEGIN
            BEGIN TRANSACTION;
            SELECT @TransactionId = CURRENT_TRANSACTION_ID(), @Result = NULL;

            EXEC {{.Schema}}.RunTask
                @TaskId = @TaskId, @SqlText = @SqlText, @Parameters = @Parameters, @TransactionId = @TransactionId,
                @UserId = @TaskUserId, @UserName = @UserName, @UserExists = @UserExists, @Outcome = @TaskOutcome OUTPUT,
                @Rows = @Rows OUTPUT, @ErrorNumber = @ErrorNumber OUTPUT, @ErrorMessage = @ErrorMessage OUTPUT,
                @ErrorProcedure = @ErrorProcedure OUTPUT, @ErrorLine = @ErrorLine OUTPUT;

            SET @NoRetry = CASE WHEN @ErrorNumber = 51035 THEN 1 ELSE 0 END;

            -- The work commits with the record of its end, or not at all: wait for any lock, and be no deadlock victim.
            IF @ErrorNumber IS NULL
            BEGIN
                SET LOCK_TIMEOUT -1;
                SET DEADLOCK_PRIORITY HIGH;
                BEGIN TRY
                    EXEC {{.Schema}}.NextTask
                        @LaneId = @LaneId, @WorkerId = @WorkerId, @Claim = 0, @TaskId = @TaskId, @Attempt = @Attempt, @ProcessId = @ProcessId, @LogId = @LogId,
                        @Outcome = @TaskOutcome, @Rows = @Rows, @Result = @Result OUTPUT;

                    -- That the attempt is lost shows again below.
                    IF @Result = 'Ended'
                    BEGIN
                        COMMIT TRANSACTION;
                        SET @TaskOutcome = NULL;
                    END;
                END TRY
                BEGIN CATCH
                    -- Not the task's fault, and its work is rolled back: treat it as if its worker had died.
                    SELECT @TaskOutcome = 'Orphaned', @Rows = NULL,
                           @ErrorNumber = ERROR_NUMBER(), @ErrorMessage = ERROR_MESSAGE(), @ErrorProcedure = ERROR_PROCEDURE(), @ErrorLine = ERROR_LINE();
                END CATCH;
                SET LOCK_TIMEOUT 1000;
                SET DEADLOCK_PRIORITY NORMAL;
            END;

            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END
        ELSE
        BEGIN
            SET LOCK_TIMEOUT -1;
            -- Set Idle first, then look once more: work that arrives between the two looks finds this lane idle. A worker that
            -- must leave sets Idle too; if the lane is Assigned after that, another message is on its way.
            UPDATE l
            SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME()
            FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId AND l.State <> 'Idle' AND @Result IN ('None', 'Stopped', 'Limit');

            SELECT @Outcome = CASE WHEN @Result IN ('Ended', 'Lost') THEN 'Renew'
                                   WHEN @Result <> 'None' THEN @Result
                                   WHEN NOT EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK, INDEX (IX_Processes_HasWork))
                                                    WHERE p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel)) THEN 'Idle' END;
            SELECT @Result = NULL, @TaskOutcome = NULL, @CountedFor = NULL;
            SET LOCK_TIMEOUT 1000;
            CONTINUE;
        END;

        -- After an error, or after many tasks, the state of the session is unknown: record the end, and leave. SELECT defines no order of
        -- assignments: it leaves after 99 or 100 tasks.
        SELECT @TasksRun = @TasksRun + 1, @UserId = @TaskUserId, @Result = NULL,
               @Claim = CASE WHEN @ErrorNumber IS NOT NULL OR @TasksRun >= 99 OR DATEDIFF(second, @BeganAt, SYSUTCDATETIME()) >= 600 THEN 0 ELSE 1 END;
    END;
END;
