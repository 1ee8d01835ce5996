-- Procedure: EnqueueTask
-- Purpose: Adds a task for a user that the caller has established, and wakes the dispatcher. Joins the caller's
-- transaction: it validates before it writes, never rolls that transaction back and leaves nothing that dooms it.
-- Access: private; as the owner, since only the owner may send messages.
-- Parameters:
--   @SqlText nvarchar(max) (required): the batch
--   @ExecutionOrder int (required): its wave
--   @ProcessId int (required): its process
--   @Priority int (required): within the wave
--   @ExpectedSeconds int (required): within the priority
--   @MaxAttempts int (required): attempts in all
--   @RetryDelaySeconds int (required): pause before the first retry
--   @TimeoutSeconds int (required): seconds an attempt may run, NULL = no limit
--   @NotBefore datetime2(3) (required): UTC, NULL = now
--   @OnOrphan varchar(5) (required): Retry or Fail
--   @Resource nvarchar(128) (required): resource that an attempt needs, NULL = none
--   @Access varchar(9) (required): Shared or Exclusive, NULL without a resource
--   @Transactional bit (required): 1 = one transaction with its completion
--   @DedupKey nvarchar(200) (required): key of which one unfinished task exists, NULL = none
--   @Parameters nvarchar(max) (required): values bound to the batch, NULL = none
--   @UserId int (required): principal who enqueues
--   @UserName nvarchar(128) (required): its name
--   @LoginName nvarchar(128) (required): login behind it
--   @IsAdmin bit (required): 1 = may add to anybody's process
--   @TaskId bigint OUTPUT: the new task, or the unfinished one of the same key
-- Errors:
--   51004: there is no such process
--   51005: the process takes no more tasks
--   51006: the process belongs to another user
--   51007: the user cannot be impersonated later
--   51011: the process is held by a transaction that has not ended
--   51040: there is no such resource
-- Example: see ExecAsync
CREATE OR ALTER PROCEDURE {{.Schema}}.EnqueueTask
    @SqlText nvarchar(max),
    @ExecutionOrder int,
    @ProcessId int,
    @Priority int,
    @ExpectedSeconds int,
    @MaxAttempts int,
    @RetryDelaySeconds int,
    @TimeoutSeconds int,
    @NotBefore datetime2(3),
    @OnOrphan varchar(5),
    @Resource nvarchar(128),
    @Access varchar(9),
    @Transactional bit,
    @DedupKey nvarchar(200),
    @Parameters nvarchar(max),
    @UserId int,
    @UserName nvarchar(128),
    @LoginName nvarchar(128),
    @IsAdmin bit,
    @TaskId bigint OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptionsJoin}}
    SET LOCK_TIMEOUT 5000;
    DECLARE @UserSid varbinary(85), @Status varchar(10), @Mine bit, @Closed bit, @Busy bit = 0, @Own bit = 0, @ResourceId int;
    DECLARE @Now datetime2(3) = SYSUTCDATETIME();

    -- Application roles, guest, certificates and members of a Windows group without a user of their own cannot be
    -- impersonated (EXECUTE AS, "name must be a singleton account").
    SELECT @UserSid = p.sid
    FROM sys.database_principals AS p
    WHERE p.principal_id = @UserId AND p.name = @UserName AND p.principal_id <> 2 AND p.type IN ('S', 'U', 'E');

    IF @UserSid IS NULL
    BEGIN
        RAISERROR (N'dbsched 51007: tasks run as the database user who enqueued them, and "%s" is none that can be impersonated. Create one: CREATE USER ... FOR LOGIN ...;', 16, 7, @UserName);
        RETURN 51007;
    END;

    BEGIN TRY
        -- Workers hold this row for milliseconds; only a CreateProcess that has not committed holds it for longer.
        SELECT @Status = p.Status, @Closed = p.CloseRequested,
               @Mine = CASE WHEN p.CreatedById = @UserId AND p.CreatedByName = @UserName THEN 1 ELSE 0 END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE p.ProcessId = @ProcessId;
    END TRY
    BEGIN CATCH
        IF ERROR_NUMBER() <> 1222
            THROW;
        SET @Busy = 1;
    END CATCH;

    IF @Busy = 1
    BEGIN
        RAISERROR (N'dbsched 51011: process %d is held by a transaction that has not ended; try again.', 16, 11, @ProcessId);
        RETURN 51011;
    END;

    IF @Status IS NULL
    BEGIN
        RAISERROR (N'dbsched 51004: there is no process %d.', 16, 4, @ProcessId);
        RETURN 51004;
    END;

    IF @ProcessId <> 1 AND @IsAdmin = 0 AND @Mine = 0
    BEGIN
        RAISERROR (N'dbsched 51006: process %d belongs to another user.', 16, 6, @ProcessId);
        RETURN 51006;
    END;

    IF @Status NOT IN ('Open', 'Suspended') OR @Closed = 1
       OR EXISTS (SELECT 1 FROM {{.Schema}}.ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK) WHERE r.ProcessId = @ProcessId AND r.Action = 'Close')
    BEGIN
        RAISERROR (N'dbsched 51005: process %d is closed or finished and takes no more tasks.', 16, 5, @ProcessId);
        RETURN 51005;
    END;

    -- Those who hold and wait lock this row for update only, which nobody who reads it waits for.
    IF @Resource IS NOT NULL
        SELECT @ResourceId = s.ResourceId
        FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE s.Name = @Resource;

    IF @Resource IS NOT NULL AND @ResourceId IS NULL
    BEGIN
        RAISERROR (N'dbsched 51040: there is no resource "%s"; an administrator makes one with DefineResource.', 16, 40, @Resource);
        RETURN 51040;
    END;
    -- Past locked rows: another session's transaction may hold them for long. What a worker holds for a moment is missed,
    -- too; then both are stored, and ClaimTask skips one.
    SET @TaskId = NULL;
    IF @DedupKey IS NOT NULL
        SELECT TOP (1) @TaskId = t.TaskId
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.ProcessId = @ProcessId AND t.DedupKey = @DedupKey AND t.DedupKey IS NOT NULL AND t.EnqueuedBySid = @UserSid AND t.FinishedAt IS NULL
        ORDER BY t.TaskId
        OPTION (MAXDOP 1);

    IF @TaskId IS NOT NULL
        RETURN 0;

    IF @@TRANCOUNT = 0
    BEGIN
        SET @Own = 1;
        BEGIN TRANSACTION;
    END;

    BEGIN TRY
        INSERT INTO {{.Schema}}.Tasks WITH (ROWLOCK)
            (ProcessId, ExecutionOrder, Priority, ExpectedSeconds, Status, WaitReason, DueAt, SqlText,
             MaxAttempts, RetryDelaySeconds, TimeoutSeconds, OnOrphan, Transactional, DedupKey, Parameters, EnqueuedAt,
             EnqueuedById, EnqueuedBySid, EnqueuedByName, EnqueuedByLogin, TransactionId, ResourceId, Access)
        VALUES
            (@ProcessId, @ExecutionOrder, @Priority, @ExpectedSeconds,
             CASE WHEN @NotBefore > @Now THEN 'Waiting' ELSE 'Pending' END,
             CASE WHEN @NotBefore > @Now THEN 'Delay' ELSE NULL END,
             CASE WHEN @NotBefore > @Now THEN @NotBefore ELSE NULL END,
             @SqlText, @MaxAttempts, @RetryDelaySeconds, @TimeoutSeconds, @OnOrphan, @Transactional, @DedupKey, @Parameters, @Now,
             @UserId, @UserSid, @UserName, @LoginName, CURRENT_TRANSACTION_ID(), @ResourceId, @Access);

        SET @TaskId = SCOPE_IDENTITY();

        EXEC {{.Schema}}.WakeOnce;

        IF @Own = 1
            COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        IF @Own = 1 AND XACT_STATE() <> 0
            ROLLBACK TRANSACTION;
        THROW;
    END CATCH;

    RETURN 0;
END;
