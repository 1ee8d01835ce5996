-- Procedure: RecordReport
-- Purpose: Records the report of a round's member in a transaction of its own. The report that completes a generation ends
-- it, in the same transaction, and enqueues the task or commits that the start of a job is due: reports of a round come one
-- after the other, so that two members that are the last at the same instant are not.
-- Access: private; as the owner
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round
--   @Member nvarchar(4000) (required): name of the member
--   @Succeeded bit (required): 0 = it failed
--   @UserSid varbinary(85) (required): SID of the principal who reports
--   @IsAdmin bit (required): 1 = may report for anybody's round
--   @Outcome varchar(10) OUTPUT: Waiting, Reported (a failure), Started (a task) or Starting (a job is to be)
--   @FiringId bigint OUTPUT: the firing of that job
--   @Job nvarchar(128) OUTPUT: the job
--   @StartSeconds int OUTPUT: seconds in which it must be seen to run
-- Errors:
--   51051: there is no such round
--   51052: the round has no such member
--   51053: the round belongs to another user
--   51057: the user who defined the round does not exist any more
--   those of ExecAsync
-- Example: see ReportRound
CREATE OR ALTER PROCEDURE {{.Schema}}.RecordReport
    @Round nvarchar(4000),
    @Member nvarchar(4000),
    @Succeeded bit,
    @UserSid varbinary(85),
    @IsAdmin bit,
    @Outcome varchar(10) OUTPUT,
    @FiringId bigint OUTPUT,
    @Job nvarchar(128) OUTPUT,
    @StartSeconds int OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
    DECLARE @RoundId int, @Mine bit, @Message nvarchar(2000), @SqlText nvarchar(max), @Order int, @ProcessId int, @DefinerId int, @DefinerSid varbinary(85), @Definer nvarchar(128), @TaskId bigint;

    SET @Outcome = CASE WHEN @Succeeded = 1 THEN 'Waiting' ELSE 'Reported' END;
    SET @FiringId = NULL;
    SET @Job = NULL;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @RoundId = r.RoundId, @Job = r.SuccessorJob, @StartSeconds = r.StartSeconds,
               @Mine = CASE WHEN r.DefinedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Rounds AS r WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.Name = @Round;

        IF @RoundId IS NULL
        BEGIN
            SET @Message = LEFT(N'dbsched 51051: there is no round "' + @Round + N'".', 2000);
            THROW 51051, @Message, 1;
        END;

        IF @IsAdmin = 0 AND @Mine = 0
        BEGIN
            SET @Message = LEFT(N'dbsched 51053: round "' + @Round + N'" belongs to another user.', 2000);
            THROW 51053, @Message, 1;
        END;

        EXEC {{.Schema}}.ForgetOldReports @RoundId;

        UPDATE m
        SET m.ReportedAt = SYSUTCDATETIME(), m.Succeeded = @Succeeded
        FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member = @Member;

        IF @@ROWCOUNT = 0
        BEGIN
            SET @Message = LEFT(N'dbsched 51052: round "' + @Round + N'" has no member "' + @Member + N'".', 2000);
            THROW 51052, @Message, 1;
        END;

        IF @Succeeded = 0
        BEGIN
            SET @Message = LEFT(N'Round "' + @Round + N'" starts nothing: its member "' + @Member + N'" has failed. It may run again and report success.', 2000);
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'RoundFailed', @Message = @Message;
        END
        ELSE IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
                            WHERE m.RoundId = @RoundId AND (m.Succeeded IS NULL OR m.Succeeded = 0))
        BEGIN
            INSERT INTO {{.Schema}}.RoundFirings WITH (ROWLOCK) (RoundId, Generation, FiredBy)
            SELECT r.RoundId, r.Generation, @Member
            FROM {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

            SET @FiringId = SCOPE_IDENTITY();

            UPDATE r
            SET r.Generation = r.Generation + 1
            FROM {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

            UPDATE m
            SET m.ReportedAt = NULL, m.Succeeded = NULL
            FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE m.RoundId = @RoundId;

            SET @Outcome = 'Starting';

            IF @Job IS NULL
            BEGIN
                SELECT @SqlText = r.SuccessorSql, @Order = r.SuccessorOrder, @ProcessId = r.SuccessorProcessId,
                       @DefinerId = r.DefinedById, @DefinerSid = r.DefinedBySid, @Definer = r.DefinedByName
                FROM {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE r.RoundId = @RoundId;

                IF NOT EXISTS (SELECT 1 FROM sys.database_principals AS p
                               WHERE p.principal_id = @DefinerId AND p.name = @Definer AND (p.principal_id = 1 OR p.sid = @DefinerSid))
                    THROW 51057, N'dbsched 51057: the user who defined the round, and as whom its task would run, does not exist any more.', 1;

                EXEC {{.Schema}}.EnqueueForRound @UserName = @Definer, @SqlText = @SqlText, @ExecutionOrder = @Order, @ProcessId = @ProcessId, @TaskId = @TaskId OUTPUT;

                UPDATE f
                SET f.Status = 'Started', f.TaskId = @TaskId, f.EndedAt = SYSUTCDATETIME()
                FROM {{.Schema}}.RoundFirings AS f WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE f.FiringId = @FiringId;

                SET @Outcome = 'Started';
            END;
        END;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        SET @Message = LEFT(N'Round "' + @Round + N'": the last report, of member "' + @Member + N'", was taken back, since the task cannot be enqueued: ' + ERROR_MESSAGE(), 2000);

        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        IF @Outcome = 'Starting'
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'RoundStart', @Message = @Message;

        THROW;
    END CATCH;

    RETURN 0;
END;
