-- Procedure: WaitForResource
-- Purpose: Puts the calling session into the line of a resource and waits for its turn.
-- Access: private; as the owner, who may take the locks that tell whether a session lives.
-- Parameters:
--   @Name nvarchar(128) (required): the resource
--   @Access varchar(9) (required): Shared or Exclusive
--   @Requester nvarchar(128) (required): what the caller calls itself
--   @TimeoutSeconds int (required): longest wait
--   @LeaseSeconds int (required): how long it may be held, NULL = as long as the session lives
--   @UserId int (required): principal who asks
--   @UserName nvarchar(128) (required): its name
--   @LoginName nvarchar(128) (required): login behind it
--   @RequestId bigint OUTPUT: the request, NULL if nothing was granted
-- Errors:
--   51040: there is no such resource
--   51042: the session would wait for itself
--   51043: the session and others would wait for each other
--   51044: the request was taken out of the line
-- Example: see AcquireResource
CREATE OR ALTER PROCEDURE {{.Schema}}.WaitForResource
    @Name nvarchar(128),
    @Access varchar(9),
    @Requester nvarchar(128),
    @TimeoutSeconds int,
    @LeaseSeconds int,
    @UserId int,
    @UserName nvarchar(128),
    @LoginName nvarchar(128),
    @RequestId bigint OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
    DECLARE @ResourceId int, @Capacity int, @Locked int, @TaskId bigint, @ProcessId int, @Status varchar(8), @Lock nvarchar(255), @Got int, @Result int;
    DECLARE @BeforeId bigint, @BeforeLock nvarchar(255), @Bound bit, @Milliseconds int, @Polls int = 0;
    DECLARE @Until datetime2(3) = DATEADD(second, @TimeoutSeconds, SYSUTCDATETIME()), @CheckedAt datetime2(3) = SYSUTCDATETIME(), @Now datetime2(3);

    SET @RequestId = NULL;

    SELECT @ResourceId = s.ResourceId
    FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.Name = @Name;

    IF @ResourceId IS NULL
        THROW 51040, N'dbsched 51040: there is no such resource; an administrator makes one with DefineResource.', 1;

    -- What a task acquires it gives back when it ends, if not before.
    EXEC {{.Schema}}.CurrentTask @TaskId OUTPUT, @ProcessId OUTPUT;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- The number is given under this lock, which is held until the commit: so the line is in the order of commits.
        SELECT @Locked = s.ResourceId
        FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        -- Dropped meanwhile.
        IF @Locked IS NULL
            THROW 51040, N'dbsched 51040: there is no such resource; an administrator makes one with DefineResource.', 1;

        INSERT INTO {{.Schema}}.ResourceRequests WITH (ROWLOCK)
            (ResourceId, Status, Access, Requester, ProcessId, TaskId, SessionId, LeaseSeconds, GiveUpAt, RequestedById, RequestedByName, RequestedByLogin)
        VALUES
            (@ResourceId, 'Waiting', @Access, @Requester, @ProcessId, @TaskId, @@SPID, @LeaseSeconds, DATEADD(second, 30, @Until), @UserId, @UserName, @LoginName);

        SET @RequestId = SCOPE_IDENTITY();
        SET @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);

        -- Before anybody sees the request: whoever sees it and finds this lock free takes the session for dead.
        EXEC @Got = sys.sp_getapplock @Resource = @Lock, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0, @DbPrincipal = {{.LocksRoleLit}};
        IF @Got < 0
            THROW 51044, N'dbsched 51044: the request could not be made.', 1;

        EXEC {{.Schema}}.GrantResource @ResourceId, @RequestId;

        COMMIT TRANSACTION;

        WHILE @Result IS NULL
        BEGIN
            SET @Status = NULL;

            SELECT @Status = r.Status
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            IF @Status IS NULL
                THROW 51044, N'dbsched 51044: the request was taken out of the line.', 1;

            IF @Status = 'Granted'
                SET @Result = 0;
            ELSE IF @Status = 'Reserved' OR SYSUTCDATETIME() >= @Until
            BEGIN
                BEGIN TRANSACTION;

                SELECT @Locked = s.ResourceId
                FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
                WHERE s.ResourceId = @ResourceId;

                UPDATE r
                SET r.Status = 'Granted', r.LeaseUntil = DATEADD(second, r.LeaseSeconds, SYSUTCDATETIME())
                FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId AND r.Status = 'Reserved';

                IF @@ROWCOUNT = 1
                    SET @Result = 0;
                ELSE
                BEGIN
                    -- Nothing stays, and whoever was held back by this request does not wait for it any more.
                    DELETE r
                    FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                    WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

                    EXEC {{.Schema}}.GrantResource @ResourceId;
                    SET @Result = 2;
                END;

                COMMIT TRANSACTION;
            END
            ELSE
            BEGIN
                -- Somebody who must be gone before it is this session's turn: where there is one unit, or one of the two wants
                -- all, any of those before; the nearest, so that whoever ends wakes the next and not everybody.
                SELECT @BeforeId = NULL, @Bound = 0;

                SELECT @Capacity = s.Capacity
                FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE s.ResourceId = @ResourceId;

                SELECT TOP (1) @BeforeId = r.RequestId,
                               @Bound = CASE WHEN r.SessionId IS NULL OR (r.LeaseSeconds IS NOT NULL AND r.Status = 'Granted') THEN 0 ELSE 1 END
                FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                WHERE r.ResourceId = @ResourceId AND r.RequestId < @RequestId
                  AND (@Capacity = 1 OR @Access = 'Exclusive' OR r.Access = 'Exclusive')
                ORDER BY r.RequestId DESC
                OPTION (MAXDOP 1);

                SET @BeforeLock = N'request:' + CONVERT(nvarchar(20), @BeforeId);
                IF @Bound = 1 AND APPLOCK_MODE({{.LocksRoleLit}}, @BeforeLock, 'Session') <> N'NoLock'
                    THROW 51042, N'dbsched 51042: this session holds the resource already, and would wait for itself.', 1;

                SET @Got = -1;
                IF @Bound = 1
                BEGIN
                    -- He holds this lock as long as his request lives: it comes when he releases, gives up, or dies. In slices,
                    -- since an administrator may end a request or raise the capacity, and others' leases run out.
                    -- One look at the clock: less than 0 would mean for ever.
                    SET @Now = SYSUTCDATETIME();
                    SET @Milliseconds = CASE WHEN DATEDIFF(second, @Now, @Until) >= 5 THEN 5000
                                             WHEN @Now >= @Until THEN 0
                                             ELSE DATEDIFF(millisecond, @Now, @Until) END;

                    EXEC @Got = sys.sp_getapplock @Resource = @BeforeLock, @LockMode = 'Shared', @LockOwner = 'Session', @LockTimeout = @Milliseconds,
                                                  @DbPrincipal = {{.LocksRoleLit}};
                    IF @Got >= 0
                        EXEC sys.sp_releaseapplock @Resource = @BeforeLock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};
                    ELSE IF @Got = -3
                        THROW 51043, N'dbsched 51043: this session and others waited for each other''s resources; it gave up its request.', 1;
                END
                -- Any one of several, or a task, or a lease: no lock stands for them.
                ELSE IF @Polls < 10
                    WAITFOR DELAY '00:00:00.100';
                ELSE
                    WAITFOR DELAY '00:00:00.500';

                SET @Polls = @Polls + 1;

                IF @Got >= 0 OR DATEDIFF(second, @CheckedAt, SYSUTCDATETIME()) >= 5
                BEGIN
                    EXEC {{.Schema}}.FreeStaleResources @ResourceId;
                    SET @CheckedAt = SYSUTCDATETIME();
                END;
            END;
        END;
    END TRY
    BEGIN CATCH
        IF XACT_STATE() <> 0
            ROLLBACK TRANSACTION;

        BEGIN TRY
            BEGIN TRANSACTION;

            SELECT @Locked = s.ResourceId
            FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            DELETE r
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            EXEC {{.Schema}}.GrantResource @ResourceId;

            COMMIT TRANSACTION;
        END TRY
        BEGIN CATCH
            -- The lock below is what counts: without it the request is found to be dead.
            IF XACT_STATE() <> 0
                ROLLBACK TRANSACTION;
        END CATCH;

        IF APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') <> N'NoLock'
            EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

        SET @RequestId = NULL;
        THROW;
    END CATCH;

    IF @Result <> 0 OR @LeaseSeconds IS NOT NULL
        EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

    IF @Result <> 0
        SET @RequestId = NULL;
    ELSE IF @LeaseSeconds IS NOT NULL
        EXEC {{.Schema}}.SendWake; -- the dispatcher's timer must know when the lease runs out

    RETURN @Result;
END;
