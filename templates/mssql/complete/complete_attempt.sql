-- Procedure: CompleteAttempt
-- Purpose: Records how an attempt ended, in a transaction of its own, so that nothing else can prevent it. Changes nothing unless the attempt still
-- belongs to @WorkerId; for a dead worker, the session that found it dead calls this. Inside a transaction of the caller, joins it and
-- raises errors.
-- Access: private; called by a worker that holds its lane's lock, and by RecoverLane.
-- Parameters:
--   @LaneId int (required): lane that ran it
--   @WorkerId uniqueidentifier (required): worker that ran it
--   @ProcessId int (required): process of the task
--   @TaskId bigint (required): the task
--   @LogId bigint (required): log row of the attempt
--   @Outcome varchar(10) (required): Succeeded, Failed, Orphaned or Outage
--   @Rows bigint = NULL: rows of the last statement
--   @ErrorNumber int = NULL: error that ended it
--   @ErrorMessage nvarchar(4000) = NULL: its text
--   @ErrorProcedure nvarchar(300) = NULL: procedure that raised it
--   @ErrorLine int = NULL: its line
--   @Result varchar(10) = NULL OUTPUT: Ended, or Lost: the attempt no longer belongs to this worker, or is an orphan that cannot be recorded now
-- Errors: none raised outside a transaction, but retried for ever, with an alarm each minute. So is 51011:
--   51011: the handover lock was not granted
CREATE OR ALTER PROCEDURE {{.Schema}}.CompleteAttempt
    @LaneId int,
    @WorkerId uniqueidentifier,
    @ProcessId int,
    @TaskId bigint,
    @LogId bigint,
    @Outcome varchar(10),
    @Rows bigint = NULL,
    @ErrorNumber int = NULL,
    @ErrorMessage nvarchar(4000) = NULL,
    @ErrorProcedure nvarchar(300) = NULL,
    @ErrorLine int = NULL,
    @Result varchar(10) = NULL OUTPUT
AS
BEGIN
    DECLARE @Order int, @Held bit, @HadWork bit, @Tries int = 0, @Joined bit = @@TRANCOUNT;

    SET @Result = NULL;

    WHILE @Result IS NULL
    BEGIN
        BEGIN TRY
            BEGIN TRANSACTION;
            EXEC {{.Schema}}.LockHandover @LaneId;

            IF @Outcome = 'Succeeded'
                EXEC {{.Schema}}.SucceedTask @ProcessId, @TaskId, @LogId, @WorkerId, @Rows, @Order OUTPUT, @Held OUTPUT, @HadWork OUTPUT;
            ELSE
                EXEC {{.Schema}}.FailTask @ProcessId, @TaskId, @LogId, @LaneId, @WorkerId, @Outcome, @Rows,
                                          @ErrorNumber, @ErrorMessage, @ErrorProcedure, @ErrorLine, @Order OUTPUT;

            IF @Order IS NOT NULL -- the lane takes the first task of a new wave
                EXEC {{.Schema}}.EndWave @ProcessId, @Order, 1, @Outcome;

            IF @Order IS NULL AND @Joined = 0 -- a caller with a transaction rolls back
                ROLLBACK TRANSACTION;
            ELSE
                COMMIT TRANSACTION;
            SET @Result = CASE WHEN @Order IS NULL THEN 'Lost' ELSE 'Ended' END;
        END TRY
        BEGIN CATCH
            IF @Joined = 1 -- the caller must first roll back the work of the transactional task
                THROW;
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;

            SET @Tries = @Tries + 1;
            IF @Tries % 20 = 16
                EXEC {{.Schema}}.AlarmOfError @Kind = 'LostCompletion', @What = N'The end of an attempt cannot be recorded, and is retried: ',
                                              @ProcessId = @ProcessId, @TaskId = @TaskId, @LaneId = @LaneId;

            -- The work is done and must not be done twice, so its own worker never gives up. A session that reports a dead worker does, at
            -- once if another one holds the process (51023: see RecoverLane); the next sweep, or worker in its lane, tries again.
            IF @Outcome = 'Orphaned' AND (@Tries = 16 OR (@ErrorNumber = 51023 AND ERROR_NUMBER() = 1222))
                SET @Result = 'Lost';

            IF @Tries <= 5
                WAITFOR DELAY '00:00:00.050';
            ELSE
                WAITFOR DELAY '00:00:03';
        END CATCH;
    END;
END;
