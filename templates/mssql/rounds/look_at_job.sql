-- Procedure: LookAtJob
-- Purpose: Reads the state of a SQL Server Agent job from msdb, with the rights of the caller. A separate procedure, so that the
-- caller's TRY also catches compilation errors (TRY...CATCH, Errors Unaffected).
-- Access: private; runs as the caller
-- Parameters:
--   @Job nvarchar(128) (required): name of the job
--   @Known bit OUTPUT: 1 = the job exists
--   @Running bit OUTPUT: 1 = it runs or is about to run
--   @Started bit OUTPUT: 1 = it runs, or it ended and @HistoryId changed
--   @HistoryId int OUTPUT: outcome row of its last run in sysjobhistory; 0 = none since the service started
CREATE OR ALTER PROCEDURE {{.Schema}}.LookAtJob
    @Job nvarchar(128),
    @Known bit OUTPUT,
    @Running bit OUTPUT,
    @Started bit OUTPUT,
    @HistoryId int OUTPUT
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @JobId uniqueidentifier, @AgentSession int, @Before int = ISNULL(@HistoryId, 0), @Requested datetime, @Start datetime, @Stop datetime;

    -- Dynamic SQL, so that this procedure can be created without access to msdb. Only the current session of the service
    -- counts: rows of earlier sessions may look like running jobs.
    DECLARE @Look nvarchar(1000) = N'
SELECT @JobId = j.job_id
FROM msdb.dbo.sysjobs AS j
WHERE j.name = @Job;

SELECT @AgentSession = MAX(s.session_id)
FROM msdb.dbo.syssessions AS s;

SELECT @Requested = a.run_requested_date, @Start = a.start_execution_date, @Stop = a.stop_execution_date, @HistoryId = a.job_history_id
FROM msdb.dbo.sysjobactivity AS a
WHERE a.job_id = @JobId AND a.session_id = @AgentSession;';

    SET @HistoryId = NULL;

    EXEC sys.sp_executesql @Look,
        N'@Job nvarchar(128), @JobId uniqueidentifier OUTPUT, @AgentSession int OUTPUT, @Requested datetime OUTPUT, @Start datetime OUTPUT, @Stop datetime OUTPUT, @HistoryId int OUTPUT',
        @Job = @Job, @JobId = @JobId OUTPUT, @AgentSession = @AgentSession OUTPUT, @Requested = @Requested OUTPUT, @Start = @Start OUTPUT, @Stop = @Stop OUTPUT, @HistoryId = @HistoryId OUTPUT;

    -- A request to run clears the row, so its contents belong to that run.
    SET @HistoryId = ISNULL(@HistoryId, 0);
    SET @Known = CASE WHEN @JobId IS NULL THEN 0 ELSE 1 END;
    SET @Running = CASE WHEN @Stop IS NULL AND (@Requested IS NOT NULL OR @Start IS NOT NULL) THEN 1 ELSE 0 END;
    SET @Started = CASE WHEN @Start IS NOT NULL AND (@Stop IS NULL OR @HistoryId <> @Before) THEN 1 ELSE 0 END;
    RETURN 0;
END;
