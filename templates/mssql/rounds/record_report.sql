-- Procedure: RecordReport
-- Purpose: Records a member's report in its own transaction. The report that completes a generation also ends the generation
-- and enqueues the task, or records that a job must be started, in the same transaction. Reports of a round are serialized, so only
-- one of two simultaneous reports is the last.
-- Access: private; runs as the owner
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round
--   @Member nvarchar(4000) (required): name of the member
--   @Succeeded bit (required): 0 = it failed
--   @UserSid varbinary(85) (required): SID of the caller
--   @IsAdmin bit (required): 1 = the caller may report for any user's round
--   @Outcome varchar(10) OUTPUT: Waiting, Reported (a failure), Started (a task) or Starting (a job must be started)
--   @FiringId bigint OUTPUT: the firing, for the job
--   @Job nvarchar(128) OUTPUT: the job
--   @StartSeconds int OUTPUT: seconds in which the job must be seen to run
-- Errors (and those of ExecAsync):
--   51051: there is no such round
--   51052: the round has no such member
--   51053: the round belongs to another user
--   51057: the user that defined the round no longer exists, or may no longer enqueue
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
               @Mine = CASE WHEN r.DefinedBySid = @UserSid THEN 1 ELSE 0 END, @Definer = r.DefinedByName
        FROM {{.Schema}}.Rounds AS r WITH (UPDLOCK, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.Name = @Round;

        IF @RoundId IS NULL
        BEGIN
            SET @Message = LEFT(N'dbsched 51051: there is no round "' + {{thrown "@Round"}} + N'". See RoundInfo.', 2000);
            THROW 51051, @Message, 1;
        END;

        IF @IsAdmin = 0 AND @Mine = 0
        BEGIN
            SET @Message = LEFT(N'dbsched 51053: round "' + {{thrown "@Round"}} + N'" belongs to another user. Ask an administrator.', 2000);
            THROW 51053, @Message, 1;
        END;

        EXEC {{.Schema}}.ForgetOldReports @RoundId;

        UPDATE m
        SET m.ReportedAt = SYSUTCDATETIME(), m.Succeeded = @Succeeded
        FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE m.RoundId = @RoundId AND m.Member = @Member;

        IF @@ROWCOUNT = 0
        BEGIN
            SET @Message = LEFT(N'dbsched 51052: round "' + {{thrown "@Round"}} + N'" has no member "'
                + {{thrown "@Member"}} + N'". See RoundMemberInfo.', 2000);
            THROW 51052, @Message, 1;
        END;

        IF @Succeeded = 0
        BEGIN
            SET @Message = LEFT(N'Round "' + @Round + N'" does not start its successor: member "' + @Member + N'" failed. Fix it and run it again; its success then counts.', 2000);
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'RoundFailed', @Message = @Message, @UserName = @Definer;
        END
        ELSE IF NOT EXISTS (SELECT 1 FROM {{.Schema}}.RoundMembers AS m WITH (READCOMMITTEDLOCK, ROWLOCK)
                            WHERE m.RoundId = @RoundId AND (m.Succeeded IS NULL OR m.Succeeded = 0))
        BEGIN
            INSERT INTO {{.Schema}}.RoundFirings WITH (ROWLOCK) (RoundId, Generation, FiredBy, SuccessorJob)
            SELECT r.RoundId, r.Generation, @Member, r.SuccessorJob
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
                    THROW 51057, N'dbsched 51057: the user that defined the round no longer exists, so its task cannot run. Define the round again as an existing user.', 1;

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
        SET @Message = LEFT(N'Round "' + @Round + N'": the last report, by member "' + @Member + N'", was rolled back because the task cannot be enqueued. Report again after fixing this: ' + ERROR_MESSAGE(), 2000);

        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        IF @Outcome = 'Starting'
            EXEC {{.Schema}}.RaiseAlarm @Kind = 'RoundStart', @Message = @Message, @UserName = @Definer;

        THROW;
    END CATCH;

    RETURN 0;
END;
