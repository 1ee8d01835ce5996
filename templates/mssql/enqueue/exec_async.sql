-- Procedure: ExecAsync
-- Purpose: Enqueues one task. It exists, and can run, when the caller's transaction commits. It runs as the calling database user.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @SQL nvarchar(max) (required): the T-SQL batch to run
--   @ExecutionOrder int (required): its wave; the task starts when its process has no unfinished task of a lower order
--   @ProcessId int = NULL: its process; NULL = the default process
--   @Priority int = 0: within its wave, higher starts first; -1000000 to 1000000
--   @MaxAttempts int = 1: most attempts, the first included; 1 to 100
--   @RetryDelaySeconds int = 10: seconds before the first retry, doubled for each further retry; 0 to 86400
--   @TimeoutSeconds int = NULL: seconds that one attempt may run before it is ended and counts as failed; NULL = DefaultTimeoutSeconds, see SetOptions
--   @NotBefore datetime2(3) = NULL: earliest start, in UTC; NULL = at once
--   @ExpectedSeconds int = 0: expected run time in seconds; within a priority, the longest starts first; 0 = unknown
--   @Resource nvarchar(128) = NULL: resource (see DefineResource) that the task holds while it runs; it waits for the resource in line, without a worker
--   @Access varchar(30) = NULL: how the task uses the resource: Shared (one unit) or Exclusive (all units); NULL = Shared
--   @Transactional bit = 0: 1 = task and completion are one transaction, so that its effects happen exactly once; READ COMMITTED, not SNAPSHOT
--   @OnOrphan varchar(30) = 'Retry': if the task's worker dies: Retry or Fail
--   @DedupKey nvarchar(4000) = NULL: if the process has an unfinished task of yours with this key, its id is returned and no task is
--       added; at most 200 characters, compared binary except for trailing blanks
--   @Parameters nvarchar(max) = NULL: values for variables of the batch, a JSON object like {"CustomerId int": 7, "Since date": "2026-01-31"};
--       types are bit, tinyint, smallint, int, bigint, decimal(p,s), money, float, date, time, datetime2, datetimeoffset,
--       uniqueidentifier, nvarchar, varchar, varbinary (0x...), the last three also with (max); the type may be left out
--   @Name nvarchar(4000) = NULL: what people call the task, at most 128 characters; need not be unique
--   @TaskId bigint = NULL OUTPUT: number of the new task, or of the unfinished task with the same key
-- Errors (number 50000, the number below in text and state):
--   51001: @SQL is NULL or empty
--   51002: @ExecutionOrder is NULL
--   51003: a number is NULL or out of range
--   51004: there is no such process
--   51005: the process is closed or has ended
--   51006: the process belongs to another user
--   51007: your login has no database user that can be impersonated
--   51008: @OnOrphan or @Access is not one of its values
--   51011: the process is locked by a transaction that has not ended
--   51030: @DedupKey is empty or too long
--   51031: @Parameters is not a JSON object, or has too many members
--   51032: the name of a parameter is invalid or used twice
--   51033: the type of a parameter is not supported
--   51034: the value of a parameter does not fit its type
--   51038: you would have more unfinished tasks than MaxTasksPerUser, see SetOptions
--   51040: there is no such resource
--   51041: @Access without @Resource
--   51059: @Name is empty or too long
-- Example: EXEC dbsched.ExecAsync N'EXEC dbo.LoadOrders', 100;
CREATE OR ALTER PROCEDURE {{.Schema}}.ExecAsync
    @SQL nvarchar(max),
    @ExecutionOrder int,
    @ProcessId int = NULL,
    @Priority int = 0,
    @MaxAttempts int = 1,
    @RetryDelaySeconds int = 10,
    @TimeoutSeconds int = NULL,
    @NotBefore datetime2(3) = NULL,
    @ExpectedSeconds int = 0,
    @Resource nvarchar(128) = NULL,
    @Access varchar(30) = NULL,
    @Transactional bit = 0,
    @OnOrphan varchar(30) = 'Retry',
    @DedupKey nvarchar(4000) = NULL,
    @Parameters nvarchar(max) = NULL,
    @Name nvarchar(4000) = NULL,
    @TaskId bigint = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.Caller}}
{{.SetOptionsJoin}}
    SET LOCK_TIMEOUT 5000;
    DECLARE @Status varchar(10), @Mine bit, @Closed bit, @Busy bit = 0, @ResourceId int, @Bad nvarchar(500), @State int, @Result int,
            @Limit int, @Tasks bigint, @Now datetime2(3) = SYSUTCDATETIME(), @Own bit = CASE @@TRANCOUNT WHEN 0 THEN 1 ELSE 0 END;

    SET @TaskId = NULL;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Bad = CASE WHEN @SQL IS NULL OR @SQL NOT LIKE N'%[^' + NCHAR(9) + NCHAR(10) + NCHAR(13) + N' ]%' THEN N'51001: @SQL is NULL or empty.'
                    WHEN @ExecutionOrder IS NULL THEN N'51002: @ExecutionOrder is NULL.'
                    WHEN @Priority IS NULL OR @Priority NOT BETWEEN -1000000 AND 1000000 THEN N'51003: @Priority must be from -1000000 to 1000000.'
                    WHEN @MaxAttempts IS NULL OR @MaxAttempts NOT BETWEEN 1 AND 100 THEN N'51003: @MaxAttempts must be from 1 to 100.'
                    WHEN @RetryDelaySeconds IS NULL OR @RetryDelaySeconds NOT BETWEEN 0 AND 86400
                        THEN N'51003: @RetryDelaySeconds must be from 0 to 86400.'
                    WHEN @ExpectedSeconds IS NULL OR @ExpectedSeconds < 0 THEN N'51003: @ExpectedSeconds must be 0 or more.'
                    WHEN @TimeoutSeconds < 1 THEN N'51003: @TimeoutSeconds must be 1 or more.'
                    WHEN @OnOrphan IS NULL OR LOWER(@OnOrphan) NOT IN ('retry', 'fail', LOWER('FAIL')) THEN N'51008: @OnOrphan must be Retry or Fail.'
                    WHEN @Access IS NOT NULL AND @Resource IS NULL THEN N'51041: @Access requires @Resource, which is NULL.'
                    WHEN LOWER(@Access) NOT IN ('shared', 'exclusive', LOWER('EXCLUSIVE')) THEN N'51008: @Access must be Shared or Exclusive.'
                    WHEN LTRIM(@DedupKey) = N'' OR LEN(@DedupKey) > 200 THEN N'51030: @DedupKey must have 1 to 200 characters.'
                    WHEN LTRIM(@Name) = N'' OR LEN(@Name) > 128 THEN N'51059: @Name must have 1 to 128 characters.' END;

    IF @Bad IS NULL AND @Parameters IS NOT NULL
        SELECT TOP (1) @Bad = CONVERT(nvarchar(5), p.ErrorNumber) + N': ' + p.Problem + N'.'
        FROM {{.Schema}}.ReadParameters(@Parameters) AS p
        WHERE p.ErrorNumber IS NOT NULL
        ORDER BY p.ErrorNumber, p.Member;

    -- Orders to close first: one that is applied between the two reads has changed the process before the second.
    SELECT @ProcessId = ISNULL(@ProcessId, 1), @Transactional = ISNULL(@Transactional, 0),
           @OnOrphan = CASE WHEN LOWER(@OnOrphan) IN ('fail', LOWER('FAIL')) THEN 'Fail' ELSE 'Retry' END,
           @Access = CASE WHEN LOWER(@Access) IN ('exclusive', LOWER('EXCLUSIVE')) THEN 'Exclusive' WHEN @Resource IS NOT NULL THEN 'Shared' END,
           @Closed = CASE WHEN EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
                                       WHERE r.ProcessId = ISNULL(@ProcessId, 1) AND r.Action = 'Close') THEN 1 ELSE 0 END;

    -- NOLOCK: workers lock this row for each commit, and enqueuers need not wait for their log writes. A process that was
    -- served, or is the default one, is committed. The settings: claims lock them, too.
    SELECT @Status = p.Status, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END,
           @Limit = CASE @IsAdmin WHEN 0 THEN s.MaxTasksPerUser END, @TimeoutSeconds = ISNULL(@TimeoutSeconds, NULLIF(s.DefaultTimeoutSeconds, 0))
    FROM {{.Schema}}.Settings AS s WITH (NOLOCK)
    LEFT JOIN {{.Schema}}.Processes AS p WITH (NOLOCK)
        ON p.ProcessId = @ProcessId AND (p.ProcessId = 1 OR p.LastServedAt IS NOT NULL) AND p.Status IN ('Open', 'Suspended') AND p.CloseRequested = 0
    WHERE s.SettingsId = 1;

    BEGIN TRY
        -- Only an uncommitted CreateProcess locks the row for long.
        IF @Status IS NULL AND @Bad IS NULL
            SELECT @Status = p.Status, @Closed = CASE p.CloseRequested WHEN 1 THEN 1 ELSE @Closed END, @Mine = CASE WHEN p.CreatedBySid = @UserSid THEN 1 ELSE 0 END
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE p.ProcessId = @ProcessId;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222
            THROW;
        SET @Busy = 1;
    END CATCH;

    -- Sessions that hold or wait for the resource take only update locks on this row; readers do not wait for those.
    IF @Resource IS NOT NULL AND @Bad IS NULL AND @UserSid IS NOT NULL AND @Busy = 0 AND @Status IS NOT NULL
        SELECT @ResourceId = s.ResourceId
        FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.Name = @Resource;

    -- Application roles, guest, certificates and Windows group members without a database user cannot be
    -- impersonated (EXECUTE AS, "name must be a singleton account").
    IF @Bad IS NULL
        SET @Bad = CASE WHEN @UserSid IS NULL
                            THEN N'51007: tasks run as the database user that enqueued them, and "' + @UserName + N'" cannot be impersonated:'
                               + N' your login needs a database user of its own. Run: CREATE USER ... FOR LOGIN ...;'
                        WHEN @Busy = 1
                            THEN N'51011: process ' + CONVERT(nvarchar(20), @ProcessId)
                               + N' is locked by a transaction that has not ended. Try again after it commits.'
                        WHEN @Status IS NULL OR @ProcessId = 0
                            THEN N'51004: there is no process ' + CONVERT(nvarchar(20), @ProcessId) + N'. See ProcessInfo.'
                        WHEN @ProcessId <> 1 AND @IsAdmin = 0 AND @Mine = 0
                            THEN N'51006: process ' + CONVERT(nvarchar(20), @ProcessId) + N' belongs to another user. Ask an administrator.'
                        WHEN @Status NOT IN ('Open', 'Suspended') OR @Closed = 1
                            THEN N'51005: process ' + CONVERT(nvarchar(20), @ProcessId)
                               + N' is closed or has ended and accepts no more tasks. Use another process.'
                        WHEN @ResourceId IS NULL AND @Resource IS NOT NULL
                            THEN N'51040: there is no resource "' + @Resource + N'". An administrator can create it with DefineResource.' END;
{{.RaiseBad}}

    -- READPAST: another session's transaction may lock rows for long. Rows that a worker locks for a moment are missed
    -- too; then both tasks are stored, and AdmitTask skips one.
    IF @DedupKey IS NOT NULL
        SELECT TOP (1) @TaskId = t.TaskId
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.ProcessId = @ProcessId AND t.DedupKey = @DedupKey AND t.DedupKey IS NOT NULL AND t.EnqueuedBySid = @UserSid AND t.FinishedAt IS NULL
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

    IF @TaskId IS NOT NULL
    BEGIN
    {{.EndJoin}}
        RETURN 0;
    END;

    IF @Limit > 0
        EXEC @Result = {{.Schema}}.CountTasks @UserSid, @Limit, 1, @Tasks OUTPUT;
    IF @Result <> 0
    BEGIN
    {{.EndJoin}}
        RETURN @Result;
    END;

    IF @Own = 1
        BEGIN TRANSACTION;

    BEGIN TRY
        INSERT INTO {{.Schema}}.Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Rank, Status, WaitReason, DueAt, Name, SqlText,
             MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan, Transactional, DedupKey, Parameters, EnqueuedAt,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, UserTasks, TransactionId, ResourceId, Access)
        VALUES
            (@ProcessId, @ExecutionOrder, @Priority, @ExpectedSeconds, {{.Rank "@ExecutionOrder" "@Priority" "@ExpectedSeconds"}},
             CASE WHEN @NotBefore > @Now THEN 'Waiting' ELSE 'Pending' END,
             CASE WHEN @NotBefore > @Now THEN 'Delay' ELSE NULL END,
             CASE WHEN @NotBefore > @Now THEN @NotBefore ELSE NULL END,
             @Name, @SQL, @MaxAttempts, @RetryDelaySeconds, @TimeoutSeconds, @OnOrphan, @Transactional, @DedupKey, @Parameters, @Now,
             @UserId, @UserSid, @UserName, @LoginName, @Tasks, CURRENT_TRANSACTION_ID(), @ResourceId, @Access);

        SET @TaskId = SCOPE_IDENTITY();

        EXEC {{.Schema}}.WakeOnce @TaskId;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

{{.EndJoin}}
    RETURN 0;
END;
