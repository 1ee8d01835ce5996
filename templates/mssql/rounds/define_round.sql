-- Procedure: DefineRound
-- Purpose: Defines a round: a set of external jobs, and a successor that starts when all of them have reported success. Each job
-- calls ReportRound as its last step. Defining a round again changes it, discards its reports, and begins a new generation. With no
-- members, '[]', the round is removed.
-- Access: public: dbsched_user (own rounds), dbsched_admin; with a job as successor: db_owner
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round, at most 128 characters
--   @Members nvarchar(max) (required): names of its members: a JSON array of strings of at most 128 characters
--   @SuccessorJob nvarchar(4000) = NULL: SQL Server Agent job to start, by the session of the last report and with its rights
--   @SuccessorSQL nvarchar(max) = NULL: instead of a job: batch to enqueue as a task, which runs as the user that defines the round
--   @ExecutionOrder int = 1: the task's wave
--   @ProcessId int = NULL: the task's process; NULL = the default process
--   @MaxAgeSeconds int = 43200: seconds after which a report no longer counts; 1 to 31536000
--   @StartSeconds int = 60: seconds that the last report waits for the job to be seen to run; 1 to 3600
-- Errors:
--   51003: a number is NULL or out of range
--   51004: there is no such process
--   51006: the process belongs to another user
--   51007: your login has no database user to own the round
--   51010: called inside a transaction
--   51050: @Round is NULL, empty or longer than 128 characters
--   51053: the round belongs to another user
--   51054: @Members is not a JSON array of unique names of at most 128 characters
--   51055: pass exactly one of @SuccessorJob and @SuccessorSQL
--   51056: only a member of db_owner may define a round that starts a job
-- Example: EXEC dbsched.DefineRound N'load', N'["Load A", "Load B"]', @SuccessorJob = N'Report', @MaxAgeSeconds = 3600;
CREATE OR ALTER PROCEDURE {{.Schema}}.DefineRound
    @Round nvarchar(4000),
    @Members nvarchar(max),
    @SuccessorJob nvarchar(4000) = NULL,
    @SuccessorSQL nvarchar(max) = NULL,
    @ExecutionOrder int = 1,
    @ProcessId int = NULL,
    @MaxAgeSeconds int = 43200,
    @StartSeconds int = 60
AS
BEGIN
{{.RefuseTransaction "DefineRound" ""}}

{{.SetOptions}}
    DECLARE @UserId int = DATABASE_PRINCIPAL_ID(), @UserName nvarchar(128) = USER_NAME(), @UserSid varbinary(85) = {{.UserSid}}, @LoginName nvarchar(128) = ORIGINAL_LOGIN();
    DECLARE @IsAdmin bit = CASE WHEN IS_ROLEMEMBER({{.AdminRoleLit}}) = 1 OR IS_ROLEMEMBER(N'db_owner') = 1 THEN 1 ELSE 0 END;
    DECLARE @RoundId int, @Mine bit, @Bad nvarchar(128), @Message nvarchar(400);
    DECLARE @Names TABLE (Member nvarchar(4000) NULL, Kind int NOT NULL);

    IF @Round IS NULL OR @Round = N'' OR LEN(@Round) > 128
        THROW 51050, N'dbsched 51050: @Round must have 1 to 128 characters.', 1;

    IF @Members IS NULL OR ISJSON(@Members) = 0
       OR SUBSTRING(@Members, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Members), 1) <> N'['
        THROW 51054, N'dbsched 51054: @Members must be a JSON array of names, like ["Load A", "Load B"].', 1;

    INSERT INTO @Names (Member, Kind)
    SELECT LEFT(j.[value], 200), j.[type]
    FROM OPENJSON(@Members) AS j;

    IF EXISTS (SELECT 1 FROM @Names AS n WHERE n.Kind <> 1 OR n.Member = N'' OR LEN(n.Member) > 128)
       OR EXISTS (SELECT 1 FROM @Names AS n GROUP BY n.Member HAVING COUNT(*) > 1)
        THROW 51054, N'dbsched 51054: @Members must be unique strings of 1 to 128 characters.', 1;

    SET @Bad = CASE WHEN @ExecutionOrder IS NULL THEN N'@ExecutionOrder must not be NULL'
                    WHEN @MaxAgeSeconds IS NULL OR @MaxAgeSeconds NOT BETWEEN 1 AND 31536000 THEN N'@MaxAgeSeconds must be from 1 to 31536000'
                    WHEN @StartSeconds IS NULL OR @StartSeconds NOT BETWEEN 1 AND 3600 THEN N'@StartSeconds must be from 1 to 3600' END;
    IF @Bad IS NOT NULL
    BEGIN
        SET @Message = N'dbsched 51003: ' + @Bad + N'.';
        THROW 51003, @Message, 1;
    END;

    SET @SuccessorJob = CASE WHEN @SuccessorJob <> N'' THEN @SuccessorJob END;
    SET @SuccessorSQL = CASE WHEN @SuccessorSQL LIKE N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%' THEN @SuccessorSQL END;

    IF EXISTS (SELECT 1 FROM @Names)
    BEGIN
        IF (@SuccessorJob IS NULL AND @SuccessorSQL IS NULL) OR (@SuccessorJob IS NOT NULL AND @SuccessorSQL IS NOT NULL) OR LEN(@SuccessorJob) > 128
            THROW 51055, N'dbsched 51055: pass either @SuccessorJob, a name of at most 128 characters, or @SuccessorSQL.', 1;

        -- The job starts with the rights of the session that reports last. Sessions that report already run code of db_owner.
        IF @SuccessorJob IS NOT NULL AND ISNULL(IS_ROLEMEMBER(N'db_owner'), 0) = 0
            THROW 51056, N'dbsched 51056: only a member of db_owner can define a round that starts a job. Use @SuccessorSQL, or ask one.', 1;

        IF @UserSid IS NULL
            THROW 51007, N'dbsched 51007: a round belongs to the database user that defines it, and your login has no database user. Run: CREATE USER ... FOR LOGIN ...;', 1;

        SET @ProcessId = ISNULL(@ProcessId, 1);

        SELECT @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        SET @Message = N'dbsched 51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'. See ProcessInfo.';
        IF @Mine IS NULL OR @ProcessId = 0
            THROW 51004, @Message, 1;

        SET @Message = N'dbsched 51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user. Ask an administrator.';
        IF @Mine = 0 AND @ProcessId <> 1 AND @IsAdmin = 0
            THROW 51006, @Message, 1;
    END;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- HOLDLOCK: of two sessions that define the same name, one waits and then finds the row.
        SELECT @RoundId = r.RoundId, @Mine = CASE WHEN r.DefinedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Rounds AS r WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE r.Name = @Round;

        IF @RoundId IS NOT NULL AND @Mine = 0 AND @IsAdmin = 0
        BEGIN
            SET @Message = N'dbsched 51053: round "' + {{thrown "@Round"}} + N'" belongs to another user. Ask an administrator.';
            THROW 51053, @Message, 1;
        END;

        DELETE FROM {{.Schema}}.RoundMembers WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE RoundId = @RoundId;

        IF NOT EXISTS (SELECT 1 FROM @Names)
        BEGIN
            DELETE FROM {{.Schema}}.RoundFirings WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE RoundId = @RoundId;

            DELETE FROM {{.Schema}}.Rounds WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE RoundId = @RoundId;
        END
        ELSE IF @RoundId IS NULL
        BEGIN
            INSERT INTO {{.Schema}}.Rounds WITH (ROWLOCK)
                (Name, SuccessorJob, SuccessorSql, SuccessorOrder, SuccessorProcessId, MaxAgeSeconds, StartSeconds,
                 DefinedById, DefinedBySid, DefinedByName, DefinedByLogin)
            VALUES
                (@Round, @SuccessorJob, @SuccessorSQL, @ExecutionOrder, @ProcessId, @MaxAgeSeconds, @StartSeconds,
                 @UserId, @UserSid, @UserName, @LoginName);

            SET @RoundId = SCOPE_IDENTITY();
        END
        ELSE
            -- Changed members begin a new generation: earlier reports do not count for it. Firings are kept.
            UPDATE r
            SET r.SuccessorJob = @SuccessorJob, r.SuccessorSql = @SuccessorSQL, r.SuccessorOrder = @ExecutionOrder, r.SuccessorProcessId = @ProcessId,
                r.MaxAgeSeconds = @MaxAgeSeconds, r.StartSeconds = @StartSeconds, r.Generation = r.Generation + 1, r.DefinedAt = SYSUTCDATETIME(),
                r.DefinedById = @UserId, r.DefinedBySid = @UserSid, r.DefinedByName = @UserName, r.DefinedByLogin = @LoginName
            FROM {{.Schema}}.Rounds AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.RoundId = @RoundId;

        INSERT INTO {{.Schema}}.RoundMembers WITH (ROWLOCK) (RoundId, Member)
        SELECT @RoundId, n.Member
        FROM @Names AS n;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    RETURN 0;
END;
