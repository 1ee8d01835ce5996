-- Procedure: AlterSchedule
-- Purpose: Changes a schedule. What is NULL stays. A new calendar or time zone counts from now on. New tasks make the caller the owner of
-- the schedule, as which they run; what has fired as the former owner, but has no process yet, fails. The tasks are checked by enqueuing them
-- and rolling that back. Existing processes stay as they are.
-- Access: public: dbsched_user (own schedules), dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): name of the schedule
--   @Calendar nvarchar(4000) = NULL: when it fires; see CreateSchedule, as for all that follow
--   @SQL nvarchar(max) = NULL: the batch of its only task, or
--   @Tasks nvarchar(max) = NULL: its tasks
--   @Zone nvarchar(128) = NULL: time zone of the calendar
--   @Overlap varchar(30) = NULL: Skip, Queue or Allow
--   @Missed varchar(30) = NULL: Once, None or All
--   @OnError varchar(30) = NULL: Halt or Continue
--   @Weight int = NULL: weight of its processes
--   @MaxParallel int = NULL: most tasks of a process that run at once; 0 = no limit
--   @Create bit = 0: 1 = create it, as CreateSchedule does
--   @Enabled bit = 1: of a new schedule: 0 = it fires only after SetScheduleEnabled
--   @BeginAt datetime2(0) = NULL: no firing before it, in UTC; every N minutes, hours or days is counted from it
--   @EndAt datetime2(0) = NULL: no firing after it, in UTC; '9999-12-31' = without end
-- Errors:
--   51007: your login has no database user to own the schedule
--   51008: @Overlap or @Missed is not one of its values
--   51010: called inside a transaction
--   51071: there is no such schedule
--   51072: the schedule belongs to another user
--   51073: the name is not valid, or there is a schedule of that name
--   51074: the calendar cannot be read, or never fires between @BeginAt and @EndAt
--   51075: there is no such time zone
--   51076: pass exactly one of @SQL and @Tasks, and no ProcessId or NotBefore
--   Others: see CreateProcess and ExecAsyncBatch
-- Example: EXEC dbsched.AlterSchedule N'nightly load', @Calendar = N'30 1 * * MON-FRI';
CREATE OR ALTER PROCEDURE {{.Schema}}.AlterSchedule
    @Name nvarchar(4000),
    @Calendar nvarchar(4000) = NULL,
    @SQL nvarchar(max) = NULL,
    @Tasks nvarchar(max) = NULL,
    @Zone nvarchar(128) = NULL,
    @Overlap varchar(30) = NULL,
    @Missed varchar(30) = NULL,
    @OnError varchar(30) = NULL,
    @Weight int = NULL,
    @MaxParallel int = NULL,
    @Create bit = 0,
    @Enabled bit = 1,
    @BeginAt datetime2(0) = NULL,
    @EndAt datetime2(0) = NULL
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "AlterSchedule" ""}}

{{.SetOptions}}
{{.CallerAlone}}    DECLARE @ScheduleId int, @Mine bit, @Form varchar(400), @NextAt datetime2(0), @LastAt datetime2(0), @ProcessId int,
            @New bit = CASE WHEN @SQL IS NULL AND @Tasks IS NULL THEN 0 ELSE 1 END,
            @Changed bit = CASE WHEN @Calendar IS NULL AND @Zone IS NULL AND @BeginAt IS NULL AND @EndAt IS NULL THEN 0 ELSE 1 END,
            @Number int, @Message nvarchar(2048), @NewWeight int = ISNULL(@Weight, 1);
    DECLARE @Ids TABLE (TaskNo int NOT NULL, TaskId bigint NOT NULL);
    IF @UserSid IS NULL
        THROW 51007, N'dbsched 51007: a schedule belongs to the database user that makes it, and your login has no database user. Run: CREATE USER ... FOR LOGIN ...;', 1;
    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 100
        THROW 51073, N'dbsched 51073: @Name must have 1 to 100 characters.', 1;
    IF (@SQL IS NOT NULL AND @Tasks IS NOT NULL) OR (@Create = 1 AND @New = 0)
        THROW 51076, N'dbsched 51076: pass either @SQL, or @Tasks: a JSON array as for ExecAsyncBatch.', 1;
    IF @SQL IS NOT NULL
        SET @Tasks = N'[{"SQL":"' + STRING_ESCAPE(@SQL, 'json') + N'","ExecutionOrder":1}]';

    -- ExecAsyncBatch refuses what is not an array of objects.
    IF @Tasks = N'[]' OR EXISTS (SELECT 1
                                 FROM OPENJSON(CASE WHEN ISJSON(@Tasks) = 1 THEN @Tasks END) AS a
                                 CROSS APPLY OPENJSON(CASE WHEN a.[type] = 5 THEN a.[value] END) AS m
                                 WHERE m.[key] IN (N'ProcessId', N'NotBefore') AND m.[type] <> 0)
        THROW 51076, N'dbsched 51076: the tasks of a schedule are at least one, and have no ProcessId and no NotBefore: each firing is a process of its own.', 1;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SELECT @Overlap = CASE LOWER(@Overlap) WHEN 'skip' THEN 'Skip' WHEN LOWER('SKIP') THEN 'Skip' WHEN 'queue' THEN 'Queue' WHEN 'allow' THEN 'Allow' ELSE @Overlap END,
           @Missed = CASE LOWER(@Missed) WHEN 'once' THEN 'Once' WHEN 'none' THEN 'None' WHEN 'all' THEN 'All' ELSE @Missed END,
           @OnError = CASE LOWER(@OnError) WHEN 'halt' THEN 'Halt' WHEN 'continue' THEN 'Continue' WHEN LOWER('CONTINUE') THEN 'Continue' ELSE @OnError END;
    IF @Overlap NOT IN ('Skip', 'Queue', 'Allow') OR @Missed NOT IN ('Once', 'None', 'All')
        THROW 51008, N'dbsched 51008: @Overlap must be Skip, Queue or Allow, and @Missed must be Once, None or All.', 1;
    BEGIN TRY
        BEGIN TRANSACTION;

        -- HOLDLOCK: of two sessions that create the same name, one waits and then finds the row.
        SELECT @ScheduleId = s.ScheduleId, @Mine = CASE WHEN s.OwnerSid = @UserSid THEN 1 ELSE @IsAdmin END, @NextAt = s.NextAt, @LastAt = s.LastAt,
               @BeginAt = ISNULL(@BeginAt, s.BeginAt), @EndAt = ISNULL(@EndAt, s.EndAt),
               @Calendar = ISNULL(@Calendar, s.Calendar), @Zone = ISNULL(@Zone, s.Zone), @Tasks = ISNULL(@Tasks, s.Tasks), @OnError = ISNULL(@OnError, s.OnError),
               @Weight = ISNULL(@Weight, s.Weight), @MaxParallel = ISNULL(@MaxParallel, s.MaxParallel),
               @Overlap = ISNULL(@Overlap, s.Overlap), @Missed = ISNULL(@Missed, s.Missed)
        FROM {{.Schema}}.Schedules AS s WITH (UPDLOCK, HOLDLOCK, ROWLOCK)
        WHERE s.Name = @Name;
        IF @ScheduleId IS NULL AND @Create = 0
            THROW 51071, N'dbsched 51071: there is no such schedule. See ScheduleInfo.', 1;
        IF @ScheduleId IS NOT NULL AND @Create = 1
            THROW 51073, N'dbsched 51073: there is a schedule of that name. Change it with AlterSchedule.', 1;
        IF @Mine = 0
            THROW 51072, N'dbsched 51072: the schedule belongs to another user. Ask an administrator.', 1;
        SELECT @Zone = ISNULL(@Zone, N'UTC'), @OnError = ISNULL(@OnError, 'Halt'), @Weight = ISNULL(@Weight, 1), @MaxParallel = NULLIF(@MaxParallel, 0),
               @BeginAt = ISNULL(@BeginAt, DATEADD(millisecond, -500, SYSUTCDATETIME())), -- the second that has begun
               @Form = {{.Schema}}.ReadCalendar(@Calendar);
        SET @Message = N'dbsched 51074: @Calendar "' + ISNULL({{thrown "LEFT(@Calendar, 100)"}}, N'') + N'" cannot be read: '
            + {{thrown "SUBSTRING(@Form, 2, 400)"}} + N'.';
        IF @Form LIKE '!%'
            THROW 51074, @Message, 1;
        SET @Message = N'dbsched 51075: there is no time zone "' + ISNULL({{thrown "@Zone"}}, N'') + N'". See sys.time_zone_info.';
        SET @Zone = (SELECT z.name FROM sys.time_zone_info AS z WHERE z.name COLLATE SQL_Latin1_General_CP1_CI_AS = @Zone);
        IF @Zone IS NULL
            THROW 51075, @Message, 1;

        -- An instant that has passed does not come again, even if the clock was set back.
        IF @Changed = 1
        BEGIN
            SET @NextAt = {{.Schema}}.NextInstant(@Form, @Zone, @BeginAt, @EndAt,
                CASE WHEN @LastAt > SYSUTCDATETIME() THEN @LastAt ELSE SYSUTCDATETIME() END);
            IF @NextAt IS NULL
                THROW 51074, N'dbsched 51074: @Calendar never fires between @BeginAt and @EndAt.', 1;
        END;
        SAVE TRANSACTION Checked;
        EXECUTE AS CALLER;
        EXEC {{.Schema}}.CreateProcess @Name, @ProcessId OUTPUT, @OnError = @OnError, @Weight = @NewWeight, @MaxParallel = @MaxParallel;
        IF @New = 1
            INSERT INTO @Ids (TaskNo, TaskId) EXEC {{.Schema}}.ExecAsyncBatch @Tasks = @Tasks, @ProcessId = @ProcessId;
        REVERT;
        ROLLBACK TRANSACTION Checked;

        -- Who decides what runs is who it runs as.
        IF @ScheduleId IS NULL
            INSERT INTO {{.Schema}}.Schedules WITH (ROWLOCK)
                (Name, Calendar, Form, Zone, BeginAt, EndAt, Tasks, OnError, Weight, MaxParallel, Overlap, Missed, Status, NextAt, LookAt, OwnerId,
                 OwnerSid, OwnerName)
            VALUES
                (@Name, @Calendar, @Form, @Zone, @BeginAt, @EndAt, @Tasks, @OnError, @Weight, @MaxParallel, ISNULL(@Overlap, 'Skip'),
                 ISNULL(@Missed, 'Once'), CASE WHEN @Enabled = 0 THEN 'Disabled' ELSE 'Enabled' END,
                 @NextAt, CASE WHEN @Enabled = 0 THEN NULL ELSE SYSUTCDATETIME() END, @UserId, @UserSid, @UserName);
        ELSE
            UPDATE s
            SET s.Calendar = @Calendar, s.Form = @Form, s.Zone = @Zone, s.BeginAt = @BeginAt, s.EndAt = @EndAt, s.Tasks = @Tasks,
                s.OnError = @OnError, s.Weight = @Weight, s.MaxParallel = @MaxParallel, s.Overlap = @Overlap, s.Missed = @Missed, s.NextAt = @NextAt,
                s.LookAt = CASE s.Status WHEN 'Enabled' THEN SYSUTCDATETIME() ELSE s.LookAt END,
                s.OwnerId = CASE WHEN @New = 1 THEN @UserId ELSE s.OwnerId END, s.OwnerSid = CASE WHEN @New = 1 THEN @UserSid ELSE s.OwnerSid END,
                s.OwnerName = CASE WHEN @New = 1 THEN @UserName ELSE s.OwnerName END
            FROM {{.Schema}}.Schedules AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE s.ScheduleId = @ScheduleId;

        -- The dispatcher sets its timer.
        EXEC {{.Schema}}.WakeOnce;

        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        SELECT @Number = ERROR_NUMBER(), @Message = ERROR_MESSAGE();
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        -- ExecAsyncBatch and CreateProcess report their number as a state.
        IF @Number <> 50000
            THROW;
        SELECT @Number = 51000 + ERROR_STATE(), @Message = {{thrown "@Message"}};
        THROW @Number, @Message, 1;
    END CATCH;

    RETURN 0;
END;
