-- Procedure: ReportRound
-- Purpose: Reports for a member of a round that it has succeeded or failed: the last step of each of its jobs. When all have
-- succeeded, what comes next is started, exactly once, even if two report at the same instant. A job is started by the
-- session that reports last, which needs the right to (a job of SQL Server Agent that a sysadmin owns has it), and which waits
-- until msdb shows that it runs. If a job cannot be started, that is an alarm and not an error: the member has done its work.
-- If a task cannot be enqueued, the report is refused, so that it can be made again.
-- Access: public: dbsched_user (own rounds), dbsched_admin
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round
--   @Member nvarchar(4000) (required): name of the member
--   @Succeeded bit = 1: 0 = it failed
--   @Outcome varchar(10) = NULL OUTPUT: Waiting (for others), Started (it was the last), or with an alarm: Reported (a failure), Failed (the start), Unknown (whether it runs)
-- Errors:
--   51003: @Succeeded is NULL
--   51010: called inside a transaction
--   51050: @Round or @Member is NULL
--   51051: there is no such round
--   51052: the round has no such member
--   51053: the round belongs to another user
--   51057: the user who defined the round, and as whom its task would run, does not exist any more
--   those of ExecAsync, for the task
-- Example: EXEC dbsched.ReportRound N'load', N'Load A';
CREATE OR ALTER PROCEDURE {{.Schema}}.ReportRound
    @Round nvarchar(4000),
    @Member nvarchar(4000),
    @Succeeded bit = 1,
    @Outcome varchar(10) = NULL OUTPUT
AS
BEGIN
{{.RefuseTransaction "ReportRound" ""}}

{{.SetOptions}}
    DECLARE @FiringId bigint, @Job nvarchar(128), @StartSeconds int, @Detail nvarchar(1500);
    DECLARE @UserSid varbinary(85) = {{.UserSid}};
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;

    SET @Outcome = NULL;

    IF @Round IS NULL OR @Member IS NULL
        THROW 51050, N'dbsched 51050: @Round or @Member is NULL.', 1;

    IF @Succeeded IS NULL
        THROW 51003, N'dbsched 51003: @Succeeded must be 0 or 1.', 1;

    EXEC {{.Schema}}.RecordReport @Round = @Round, @Member = @Member, @Succeeded = @Succeeded, @UserSid = @UserSid, @IsAdmin = @IsAdmin,
        @Outcome = @Outcome OUTPUT, @FiringId = @FiringId OUTPUT, @Job = @Job OUTPUT, @StartSeconds = @StartSeconds OUTPUT;

    IF @Outcome <> 'Starting'
        RETURN 0;

    -- From here on the start is due, and nobody but this session brings it about: should it end, the sweep raises an alarm.
    EXEC {{.Schema}}.StartJob @Job = @Job, @Seconds = @StartSeconds, @Status = @Outcome OUTPUT, @Detail = @Detail OUTPUT;
    EXEC {{.Schema}}.EndFiring @FiringId = @FiringId, @Status = @Outcome, @Detail = @Detail;
    RETURN 0;
END;
