-- Procedure: NextTask
-- Purpose: Records that the worker's last task succeeded and gives it the next, in one transaction: a task costs one commit. What did not succeed
-- has been recorded alone (CompleteAttempt).
-- Access: private; called by a worker that holds its lane's lock.
-- Parameters:
--   @LaneId int (required): lane of the worker
--   @WorkerId uniqueidentifier (required): the worker
--   @OnlyUserId int = NULL: claim only tasks of this database principal; NULL = of any user
--   @Rows bigint = NULL: rows of the last statement of the task that succeeded
--   @CountedFor int = NULL OUTPUT: value of MaxWorkers when the lanes were last counted, and this lane has been Busy since; NULL = it is not
--   @Result varchar(10) = NULL OUTPUT: pass NULL. Task, None (nothing claimable), Stopped, Limit (enough other workers), OtherUser, Ended (recorded,
--   nothing claimed) or Lost (the attempt no longer belongs to this worker)
--   @ProcessId int = NULL OUTPUT: in: process of the task that succeeded; out: of the task to run; so for the next two
--   @TaskId bigint = NULL OUTPUT: the task
--   @LogId bigint = NULL OUTPUT: log row of its attempt; NULL = none
--   @Transactional bit = NULL OUTPUT: 1 = task and completion are one transaction
--   @UserId int = NULL OUTPUT: principal that enqueued it
-- Errors: deadlocks, timeouts and similar errors are retried ten times, and so is 51011:
--   51011: the handover lock was not granted
CREATE OR ALTER PROCEDURE {{.Schema}}.NextTask
    @LaneId int,
    @WorkerId uniqueidentifier,
    @OnlyUserId int = NULL,
    @Rows bigint = NULL,
    @CountedFor int = NULL OUTPUT,
    @Result varchar(10) = NULL OUTPUT,
    @ProcessId int = NULL OUTPUT,
    @TaskId bigint = NULL OUTPUT,
    @LogId bigint = NULL OUTPUT,
    @Transactional bit = NULL OUTPUT,
    @UserId int = NULL OUTPUT
AS
BEGIN
    -- What succeeded: NULL once its end is committed, or if there is nothing to record.
    DECLARE @EndedProcessId int = CASE WHEN @LogId IS NOT NULL THEN @ProcessId END, @EndedTaskId bigint = @TaskId, @EndedLogId bigint = @LogId;
    DECLARE @EndedOrder int, @Held bit, @HadWork bit, @Looked bit, @Leaves bit, @Taken int;
    -- What comes next.
    DECLARE @Policy varchar(10), @Locked bit, @ChosenId bigint, @Order int, @Rank decimal(27, 0), @Keep bit, @Early bit;
    DECLARE @Turns int = 0, @Tries int = 0, @Home bit;

    WHILE @Result IS NULL
    BEGIN
        BEGIN TRY
            SELECT @ProcessId = NULL, @TaskId = NULL, @LogId = NULL, @EndedOrder = NULL, @Held = 0, @HadWork = 1, @Looked = 0,
                   @Locked = 0, @Order = NULL, @Early = 0;

            BEGIN TRANSACTION;
            EXEC {{.Schema}}.LockHandover @LaneId;
            EXEC {{.Schema}}.MayClaim @LaneId, @CountedFor OUTPUT, @Policy OUTPUT, @Result OUTPUT;

            IF @EndedLogId IS NOT NULL
                EXEC {{.Schema}}.SucceedTask @EndedProcessId, @EndedTaskId, @EndedLogId, @WorkerId, @Rows,
                                             @EndedOrder OUTPUT, @Held OUTPUT, @HadWork OUTPUT;
            IF @EndedLogId IS NOT NULL AND @EndedOrder IS NULL
            BEGIN
                SET @Result = 'Lost';
                ROLLBACK TRANSACTION;
                BREAK;
            END;

            -- Who claims nothing more in this transaction leaves the process to others. And without HasWork nobody would find what is left.
            IF @Result IS NOT NULL OR @Held = 1 OR @HadWork = 0
                SET @Looked = 1;
            IF @Looked = 1 AND @EndedLogId IS NOT NULL
                EXEC {{.Schema}}.EndWave @EndedProcessId, @EndedOrder, 1, 'Succeeded';

            -- Who holds the lock on a resource must not wait for that of another: it claims in the next transaction.
            IF @Result IS NULL AND @Held = 0
            BEGIN
                EXEC {{.Schema}}.ChooseProcess @Policy, @EndedProcessId, @Turns OUTPUT, @ProcessId OUTPUT, @Locked OUTPUT;
                IF @ProcessId IS NULL
                    SET @Result = 'None';
            END;

            IF @Locked = 1
                EXEC {{.Schema}}.ChooseTask @ProcessId, @OnlyUserId, @TaskId OUTPUT, @Order OUTPUT, @Rank OUTPUT,
                                            @Keep OUTPUT, @Early OUTPUT, @Result OUTPUT;
            IF @Locked = 1 AND @Order IS NULL AND @EndedLogId IS NULL -- the second look finds tasks that were committed during the first
                EXEC {{.Schema}}.EndWave @ProcessId, NULL, 1, NULL;

            SET @ChosenId = @TaskId;
            IF @TaskId IS NOT NULL
                EXEC {{.Schema}}.AdmitTask @LaneId, @WorkerId, @ProcessId, @TaskId OUTPUT, @CountedFor OUTPUT, @Result OUTPUT;
            IF @ChosenId IS NOT NULL AND @TaskId IS NULL AND @Result IS NULL AND @Keep = 0
                EXEC {{.Schema}}.PassTask @ProcessId, @Order, @Rank, @ChosenId;

            -- Does it leave work to others? It goes elsewhere, or on to a new wave, which may need more workers than this one.
            SET @Leaves = CASE WHEN @TaskId IS NULL AND @ProcessId IS NOT NULL THEN 1
                               WHEN @Looked = 1 THEN 0
                               WHEN @TaskId IS NULL OR @Order > @EndedOrder THEN 1 ELSE 0 END;
            SET @Taken = CASE WHEN @ProcessId = @EndedProcessId THEN 1 ELSE 0 END;
            IF @Leaves = 1 AND @EndedLogId IS NOT NULL
                EXEC {{.Schema}}.EndWave @EndedProcessId, @EndedOrder, @Taken, 'Succeeded';

            IF @TaskId IS NOT NULL
                EXEC {{.Schema}}.StartAttempt @LaneId, @WorkerId, @ProcessId, @TaskId, @Order, @Rank, @Keep,
                                              @LogId OUTPUT, @Transactional OUTPUT, @UserId OUTPUT;
            COMMIT TRANSACTION;

            SELECT @EndedProcessId = NULL, @EndedTaskId = NULL, @EndedLogId = NULL;
            IF @TaskId IS NOT NULL
                SET @Result = 'Task';

            -- Another server or name: work continues after a failover, but not in a copy.
            IF @Result = 'Moved'
            BEGIN
                EXEC {{.Schema}}.ComeHome 0, 0, NULL, NULL, @Home OUTPUT;
                SET @Result = CASE WHEN @Home = 0 THEN 'Stopped' END;
            END;

            IF @Early = 1
                WAITFOR DELAY '00:00:00.010';
        END TRY
        BEGIN CATCH
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
            SELECT @Result = NULL, @CountedFor = NULL;

            IF @EndedLogId IS NULL
            BEGIN
                IF ERROR_NUMBER() <> 1222 -- it may wait for a process for as long as another session halts it
                    SET @Tries = @Tries + 1;
                IF @Tries >= 10 OR ERROR_NUMBER() NOT IN (601, 1205, 1222, 3960, 51011)
                    THROW;
            END;

            WAITFOR DELAY '00:00:00.050';
            IF @EndedLogId IS NOT NULL -- the work is done: nothing about the next task may prevent its record
                EXEC {{.Schema}}.CompleteAttempt @LaneId, @WorkerId, @EndedProcessId, @EndedTaskId, @EndedLogId, 'Succeeded', @Rows,
                                                 @Result = @Result OUTPUT;
        END CATCH;
    END;
END;
