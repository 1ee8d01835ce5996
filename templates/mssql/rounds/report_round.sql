-- Procedure: ReportRound
-- Purpose: Reports that a member of a round succeeded or failed; the last step of each job. When all members have succeeded, the
-- successor starts exactly once, even if two members report at the same time. A job is started by the session of the last report. That
-- session needs the right to start it (a job owned by a sysadmin has it), and waits until msdb shows that the job runs. If the job
-- cannot be started, an alarm is raised, but no error, because the member has done its work. If the task cannot be enqueued, the report
-- fails and can be repeated.
-- Access: public: dbsched_user (own rounds), dbsched_admin
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round
--   @Member nvarchar(4000) (required): name of the member
--   @Succeeded bit = 1: 0 = the member failed
--   @Outcome varchar(10) = NULL OUTPUT: Waiting (for other members), Started (the successor); with an alarm: Reported (a failure), Failed (to start), Unknown (whether it started)
-- Errors (and those of ExecAsync, for the task):
--   51003: @Succeeded is NULL
--   51010: called inside a transaction
--   51050: @Round or @Member is NULL
--   51051: there is no such round
--   51052: the round has no such member
--   51053: the round belongs to another user
--   51057: the user that defined the round, and runs its task, no longer exists or may no longer enqueue
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
        THROW 51050, N'dbsched 51050: @Round and @Member must not be NULL.', 1;

    IF @Succeeded IS NULL
        THROW 51003, N'dbsched 51003: @Succeeded must be 0 or 1.', 1;

    EXEC {{.Schema}}.RecordReport @Round = @Round, @Member = @Member, @Succeeded = @Succeeded, @UserSid = @UserSid, @IsAdmin = @IsAdmin,
        @Outcome = @Outcome OUTPUT, @FiringId = @FiringId OUTPUT, @Job = @Job OUTPUT, @StartSeconds = @StartSeconds OUTPUT;

    IF @Outcome <> 'Starting'
        RETURN 0;

    -- From here on, only this session starts the job. If the session ends first, the sweep raises an alarm.
    EXEC {{.Schema}}.StartJob @Job = @Job, @Seconds = @StartSeconds, @Status = @Outcome OUTPUT, @Detail = @Detail OUTPUT;
    EXEC {{.Schema}}.EndFiring @FiringId = @FiringId, @Status = @Outcome, @Detail = @Detail;
    RETURN 0;
END;
