-- Procedure: AcquireResource
-- Purpose: Waits in line for a resource, in the order of arrival, and acquires it. The resource is held until ReleaseResource,
-- until the lease runs out or, without a lease, until the session or its task ends. (A pooled connection ends its session when it
-- is reused.) A call that is interrupted stays in line until its timeout.
-- Access: public: dbsched_user, dbsched_admin
-- Parameters:
--   @Name nvarchar(4000) (required): the resource
--   @Access varchar(30) = 'Shared': Shared (one unit) or Exclusive (all units: it waits for all requests before it, and all after it wait)
--   @TimeoutSeconds int = 60: longest wait, in seconds; 0 = do not wait; at most 604800
--   @LeaseSeconds int = NULL: seconds after which the resource is taken back; 1 to 604800; NULL = held until the session ends
--   @Requester nvarchar(4000) = NULL: name of the requester, at most 128 characters; NULL = the caller's login
--   @RequestId bigint = NULL OUTPUT: the request, for ReleaseResource; NULL = not granted
-- Returns: 0 = granted; 2 = timed out, and the request was removed
-- Errors:
--   51003: a number is NULL or out of range
--   51008: @Access is neither Shared nor Exclusive
--   51010: called inside a transaction
--   51040: there is no such resource
--   51041: @Name or @Requester is empty or too long
--   51042: the session already holds the resource and would wait for itself
--   51043: the session and others would wait for each other (a deadlock)
--   51044: the request was removed from the line
-- Example: DECLARE @R bigint; EXEC dbsched.AcquireResource N'warehouse', @TimeoutSeconds = 600, @RequestId = @R OUTPUT;
CREATE OR ALTER PROCEDURE {{.Schema}}.AcquireResource
    @Name nvarchar(4000),
    @Access varchar(30) = 'Shared',
    @TimeoutSeconds int = 60,
    @LeaseSeconds int = NULL,
    @Requester nvarchar(4000) = NULL,
    @RequestId bigint = NULL OUTPUT
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "AcquireResource" ", which would block the line"}}

{{.SetOptions}}
{{.CallerAlone}}    DECLARE @ResourceId int, @Capacity int, @Locked int, @TaskId bigint, @ProcessId int, @Status varchar(8), @Lock nvarchar(255), @Got int, @Result int;
    DECLARE @BeforeId bigint, @BeforeLock nvarchar(255), @Bound bit, @Milliseconds int, @Polls int = 0;
    DECLARE @Until datetime2(3) = DATEADD(second, @TimeoutSeconds, SYSUTCDATETIME()), @CheckedAt datetime2(3) = SYSUTCDATETIME(), @Now datetime2(3);

    SET @RequestId = NULL;

    SET @Requester = ISNULL(@Requester, @LoginName);
    IF @Name IS NULL OR @Name = N'' OR LEN(@Name) > 128 OR @Requester = N'' OR LEN(@Requester) > 128
        THROW 51041, N'dbsched 51041: @Name and @Requester must have 1 to 128 characters.', 1;

    -- Capitals too: under a Turkish collation LOWER('I') is not 'i'.
    SET @Access = CASE LOWER(@Access) WHEN 'shared' THEN 'Shared' WHEN 'exclusive' THEN 'Exclusive' WHEN LOWER('EXCLUSIVE') THEN 'Exclusive' END;
    IF @Access IS NULL
        THROW 51008, N'dbsched 51008: @Access must be Shared or Exclusive.', 1;

    IF @TimeoutSeconds IS NULL OR @TimeoutSeconds NOT BETWEEN 0 AND 604800
        THROW 51003, N'dbsched 51003: @TimeoutSeconds must be from 0 to 604800.', 1;

    IF @LeaseSeconds NOT BETWEEN 1 AND 604800
        THROW 51003, N'dbsched 51003: @LeaseSeconds must be from 1 to 604800.', 1;

    SELECT @ResourceId = s.ResourceId
    FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.Name = @Name;

    IF @ResourceId IS NULL
        THROW 51040, N'dbsched 51040: there is no such resource. An administrator can create it with DefineResource.', 1;

    -- A task's resources are released when it ends, at the latest.
    EXEC {{.Schema}}.CurrentTask @TaskId OUTPUT, @ProcessId OUTPUT;

    BEGIN TRY
        BEGIN TRANSACTION;

        -- The number is assigned under this lock, which is held until the commit, so the line is in the order of commits.
        SELECT @Locked = s.ResourceId
        FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        -- Dropped in the meantime.
        IF @Locked IS NULL
            THROW 51040, N'dbsched 51040: there is no such resource. An administrator can create it with DefineResource.', 1;

        INSERT INTO {{.Schema}}.ResourceRequests WITH (ROWLOCK)
            (ResourceId, Status, Access, Requester, ProcessId, TaskId, SessionId, LeaseSeconds, GiveUpAt, RequestedBySid, RequestedByName, RequestedByLogin)
        VALUES
            (@ResourceId, 'Waiting', @Access, @Requester, @ProcessId, @TaskId, @@SPID, @LeaseSeconds, DATEADD(second, 30, @Until), @UserSid, @UserName, @LoginName);

        SET @RequestId = SCOPE_IDENTITY();
        SET @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);

        -- Before other sessions can see the request: a free lock means a dead session to them.
        EXEC @Got = sys.sp_getapplock @Resource = @Lock, @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0, @DbPrincipal = {{.LocksRoleLit}};
        IF @Got < 0
            THROW 51044, N'dbsched 51044: the request could not be created. Try again.', 1;

        EXEC {{.Schema}}.GrantResource @ResourceId, @RequestId;

        COMMIT TRANSACTION;

        WHILE @Result IS NULL
        BEGIN
            SET @Status = NULL;

            SELECT @Status = r.Status
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            IF @Status IS NULL
                THROW 51044, N'dbsched 51044: the request was removed from the line while it waited. Try again.', 1;

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
                    -- Remove the request, so that requests behind it no longer wait for it.
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
                -- Find a request that must end before this one: with one unit, or if either is Exclusive, any request before it. Use
                -- the nearest, so that each request that ends wakes only the next.
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
                    THROW 51042, N'dbsched 51042: this session already holds the resource, and would wait for itself. Call ReleaseResource first.', 1;

                SET @Got = -1;
                IF @Bound = 1
                BEGIN
                    -- The session before holds this lock while its request exists: it is free on release, on giving up, or when the
                    -- session dies. Wait in slices: an administrator may end a request or raise the capacity, and leases run out.
                    -- Read the clock once: a negative timeout would mean forever.
                    SET @Now = SYSUTCDATETIME();
                    SET @Milliseconds = CASE WHEN DATEDIFF(second, @Now, @Until) >= 5 THEN 5000
                                             WHEN @Now >= @Until THEN 0
                                             ELSE DATEDIFF(millisecond, @Now, @Until) END;

                    EXEC @Got = sys.sp_getapplock @Resource = @BeforeLock, @LockMode = 'Shared', @LockOwner = 'Session', @LockTimeout = @Milliseconds,
                                                  @DbPrincipal = {{.LocksRoleLit}};
                    IF @Got >= 0
                        EXEC sys.sp_releaseapplock @Resource = @BeforeLock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};
                    ELSE IF @Got = -3
                        THROW 51043, N'dbsched 51043: deadlock: this session and others waited for each other''s resources, so this request was removed. Release your resources and start again.', 1;
                END
                -- Any one of several requests, a task, or a lease: there is no lock to wait for.
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
            -- Releasing the lock below is enough: without it, the request is found dead.
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
