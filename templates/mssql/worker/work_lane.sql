-- Procedure: WorkLane
-- Purpose: Runs tasks one after another until no task is left or the worker must leave.
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @UserId int OUTPUT: principal whose tasks this session runs; NULL before the first task
--   @TasksRun int OUTPUT: number of tasks this session has run
--   @Outcome varchar(10) OUTPUT: pass NULL. Idle, Stopped, Limit, or a reason for a new session: OtherUser, Renew
CREATE OR ALTER PROCEDURE {{.Schema}}.WorkLane
    @LaneId int,
    @WorkerId uniqueidentifier,
    @UserId int OUTPUT,
    @TasksRun int OUTPUT,
    @Outcome varchar(10) OUTPUT
AS
BEGIN
    DECLARE @Result varchar(10), @CountedFor int, @Leaves bit, @BeganAt datetime2(3) = SYSUTCDATETIME();
    -- The task: from NextTask, until its end is recorded.
    DECLARE @ProcessId int, @TaskId bigint, @LogId bigint, @Transactional bit, @TaskUserId int;
    -- How it ended.
    DECLARE @TaskOutcome varchar(10), @Rows bigint, @ErrorNumber int, @ErrorMessage nvarchar(4000), @ErrorProcedure nvarchar(300), @ErrorLine int;

    -- For claims: halting or cancelling many tasks locks a process row for long. Waiting for it, a claim would lock the settings, for
    -- which others wait. RunTask sets no limit for the task.
    SET LOCK_TIMEOUT 1000;

    WHILE @Outcome IS NULL
    BEGIN
        SET @Result = NULL;
        EXEC {{.Schema}}.NextTask @LaneId, @WorkerId, @UserId, @Rows, @CountedFor OUTPUT, @Result OUTPUT,
                                  @ProcessId OUTPUT, @TaskId OUTPUT, @LogId OUTPUT, @Transactional OUTPUT, @TaskUserId OUTPUT;

        IF @Result = 'Task'
        BEGIN
            SELECT @TaskOutcome = NULL, @Rows = NULL, @ErrorNumber = NULL, @ErrorMessage = NULL, @ErrorProcedure = NULL, @ErrorLine = NULL;
            IF @Transactional = 1
                EXEC {{.Schema}}.RunTransaction @LaneId, @WorkerId, @ProcessId, @TaskId, @LogId OUTPUT, @TaskOutcome OUTPUT, @Rows OUTPUT,
                                                @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;
            ELSE
                EXEC {{.Schema}}.RunTask @TaskId, NULL, @TaskOutcome OUTPUT, @Rows OUTPUT,
                                         @ErrorNumber OUTPUT, @ErrorMessage OUTPUT, @ErrorProcedure OUTPUT, @ErrorLine OUTPUT;

            -- After an error, or after many tasks, the state of the session is unknown: record the end, and leave.
            SELECT @TasksRun = @TasksRun + 1, @UserId = @TaskUserId, @Leaves = 0;
            IF @ErrorNumber IS NOT NULL OR @TasksRun >= 100 OR DATEDIFF(second, @BeganAt, SYSUTCDATETIME()) >= 600
                SET @Leaves = 1;
            IF @Leaves = 1 AND @LogId IS NOT NULL
                EXEC {{.Schema}}.CompleteAttempt @LaneId, @WorkerId, @ProcessId, @TaskId, @LogId, @TaskOutcome, @Rows,
                                                 @ErrorNumber, @ErrorMessage, @ErrorProcedure, @ErrorLine;
            IF @Leaves = 1
                SET @Outcome = 'Renew';
            CONTINUE;
        END;

        SET LOCK_TIMEOUT -1;
        -- Set Idle first, then look once more: work that arrives between the two looks finds this lane idle. A worker that
        -- must leave sets Idle too; if the lane is Assigned after that, another message is on its way.
        UPDATE l
        SET l.State = 'Idle', l.StateAt = SYSUTCDATETIME()
        FROM {{.Schema}}.Lanes AS l WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE l.LaneId = @LaneId AND l.WorkerId = @WorkerId AND l.State <> 'Idle' AND @Result IN ('None', 'Stopped', 'Limit');

        -- Nothing was found: has something come since?
        IF @Result <> 'None'
            SET @Outcome = CASE WHEN @Result IN ('Ended', 'Lost') THEN 'Renew' ELSE @Result END;
        ELSE IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.Processes AS p WITH (NOLOCK, INDEX (IX_Processes_HasWork))
                            WHERE p.HasWork = 1 AND p.Status IN ('Open', 'Closing') AND (p.MaxParallel IS NULL OR p.Running < p.MaxParallel))
            SET @Outcome = 'Idle';

        SET @CountedFor = NULL;
        SET LOCK_TIMEOUT 1000;
    END;
END;
