-- Procedure: DefineRound
-- Purpose: Defines a round: a set of outside jobs, and what is started when all of them have reported success. Each of them
-- calls ReportRound as its last step. Defining a round again changes it, forgets what was reported, and begins a new
-- generation; with no members, '[]', it is removed.
-- Access: public: dbsched_user (own rounds, whose successor is a task), dbsched_admin
-- Parameters:
--   @Round nvarchar(4000) (required): name of the round, at most 128 characters
--   @Members nvarchar(max) (required): the names of its members, a JSON array of strings of at most 128 characters
--   @SuccessorJob nvarchar(4000) = NULL: job of SQL Server Agent to start, by the session that reports last and with its rights; or
--   @SuccessorSQL nvarchar(max) = NULL: batch to enqueue as a task, which runs as the user who defines the round
--   @ExecutionOrder int = 1: that task's wave
--   @ProcessId int = NULL: that task's process, NULL = the default process
--   @MaxAgeSeconds int = 43200: a report does not count any more when it is older, in seconds; 1 to 31536000
--   @StartSeconds int = 60: how long the last reporter waits until the job is seen to run, in seconds; 1 to 3600
-- Errors:
--   51003: a number is NULL or out of range
--   51004: there is no such process
--   51006: the process belongs to another user
--   51007: the caller has no database user of its own, to whom the round could belong
--   51010: called inside a transaction
--   51050: @Round is NULL, empty or longer than 128 characters
--   51053: the round belongs to another user
--   51054: @Members is no JSON array of different names of at most 128 characters
--   51055: not exactly one of @SuccessorJob and @SuccessorSQL is given
--   51056: only an administrator may have a job started
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
        THROW 51050, N'dbsched 51050: @Round is NULL, empty or longer than 128 characters.', 1;

    IF @Members IS NULL OR ISJSON(@Members) = 0
       OR SUBSTRING(@Members, PATINDEX(N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%', @Members), 1) <> N'['
        THROW 51054, N'dbsched 51054: @Members is no JSON array of names, like ["Load A", "Load B"].', 1;

    INSERT INTO @Names (Member, Kind)
    SELECT LEFT(j.[value], 200), j.[type]
    FROM OPENJSON(@Members) AS j;

    IF EXISTS (SELECT 1 FROM @Names AS n WHERE n.Kind <> 1 OR n.Member = N'' OR LEN(n.Member) > 128)
       OR EXISTS (SELECT 1 FROM @Names AS n GROUP BY n.Member HAVING COUNT(*) > 1)
        THROW 51054, N'dbsched 51054: @Members must be strings of 1 to 128 characters, each of them once.', 1;

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
            THROW 51055, N'dbsched 51055: give either @SuccessorJob, a name of at most 128 characters, or @SuccessorSQL.', 1;

        IF @SuccessorJob IS NOT NULL AND @IsAdmin = 0
            THROW 51056, N'dbsched 51056: only an administrator may have a job started; jobs run with more rights than yours.', 1;

        IF @UserSid IS NULL
            THROW 51007, N'dbsched 51007: a round belongs to the database user who defines it, and you have none of your own. Create one: CREATE USER ... FOR LOGIN ...;', 1;

        SET @ProcessId = ISNULL(@ProcessId, 1);

        SELECT @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;

        SET @Message = N'dbsched 51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'.';
        IF @Mine IS NULL
            THROW 51004, @Message, 1;

        SET @Message = N'dbsched 51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user.';
        IF @Mine = 0 AND @ProcessId <> 1 AND @IsAdmin = 0
            THROW 51006, @Message, 1;
    END;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- HOLDLOCK: of two who define the same name one waits, and then finds it.
        SELECT @RoundId = r.RoundId, @Mine = CASE WHEN r.DefinedBySid = @UserSid THEN 1 ELSE 0 END
        FROM {{.Schema}}.Rounds AS r WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE r.Name = @Round;

        IF @RoundId IS NOT NULL AND @Mine = 0 AND @IsAdmin = 0
        BEGIN
            SET @Message = N'dbsched 51053: round "' + @Round + N'" belongs to another user.';
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
            -- A generation whose members have changed is not the one that some of them reported to. One that has fired stays.
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
