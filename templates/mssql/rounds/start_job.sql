-- Procedure: StartJob
-- Purpose: Starts a SQL Server Agent job and waits until msdb shows that it runs or has run. Uses the rights of the caller,
-- because a procedure in this database cannot grant rights in msdb.
-- Access: private; runs as the caller
-- Parameters:
--   @Job nvarchar(128) (required): name of the job
--   @Seconds int (required): longest wait for it to run, in seconds
--   @Status varchar(10) OUTPUT: Started, Failed (it did not start) or Unknown (requested, but not seen to run)
--   @Detail nvarchar(1500) OUTPUT: why it is not Started
CREATE OR ALTER PROCEDURE {{.Schema}}.StartJob
    @Job nvarchar(128),
    @Seconds int,
    @Status varchar(10) OUTPUT,
    @Detail nvarchar(1500) OUTPUT
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @Result int, @Known bit, @Running bit, @Started bit = 0, @HistoryId int, @Deadline datetime2(3);

    SET @Status = 'Failed';
    SET @Detail = NULL;

    BEGIN TRY
        EXEC {{.Schema}}.LookAtJob @Job, @Known OUTPUT, @Running OUTPUT, @Started OUTPUT, @HistoryId OUTPUT;
    END TRY
    BEGIN CATCH
        SET @Detail = N'msdb cannot be read: ' + LEFT(ERROR_MESSAGE(), 1000) + N' Report from a job owned by a sysadmin.';
    END CATCH;

    IF @Detail IS NULL AND @Known = 0
        SET @Detail = N'SQL Server Agent has no such job. Correct the name with DefineRound.';
    IF @Detail IS NULL AND @Running = 1
        SET @Detail = N'it was already running.';
    IF @Detail IS NOT NULL
        RETURN 0;

    -- A refusal by SQL Server Agent is a message that TRY does not catch; the return value shows it.
    BEGIN TRY
        EXEC @Result = msdb.dbo.sp_start_job @job_name = @Job;
    END TRY
    BEGIN CATCH
        SET @Detail = LEFT(ERROR_MESSAGE(), 1000);
    END CATCH;

    IF @Detail IS NULL AND @Result <> 0
        SET @Detail = N'SQL Server Agent refused: the service is not running, or the job was already started. See message 22022 in the output of the reporting step.';
    IF @Detail IS NOT NULL
        RETURN 0;

    SET @Status = 'Unknown';
    SET @Deadline = DATEADD(second, @Seconds, SYSUTCDATETIME());

    WHILE @Status = 'Unknown' AND @Detail IS NULL
    BEGIN
        BEGIN TRY
            EXEC {{.Schema}}.LookAtJob @Job, @Known OUTPUT, @Running OUTPUT, @Started OUTPUT, @HistoryId OUTPUT;
        END TRY
        BEGIN CATCH
            SET @Detail = N'the start was requested, but msdb cannot be read: ' + LEFT(ERROR_MESSAGE(), 1000);
        END CATCH;

        IF @Detail IS NULL AND @Started = 1
            SET @Status = 'Started';
        ELSE IF @Detail IS NULL AND SYSUTCDATETIME() >= @Deadline
            SET @Detail = N'the start was requested, but the job was not seen to run within ' + CONVERT(nvarchar(10), @Seconds) + N' seconds.';
        ELSE IF @Detail IS NULL
            WAITFOR DELAY '00:00:01';
    END;

    RETURN 0;
END;
