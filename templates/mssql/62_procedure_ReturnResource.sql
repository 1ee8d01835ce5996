-- Procedure: ReturnResource
-- Purpose: Ends a request for a resource, and grants to those whose turn it is now.
-- Access: private; as the owner, who may take and release the locks of requests.
-- Parameters:
--   @RequestId bigint (required): the request
--   @UserId int (required): principal who asks for it
--   @UserName nvarchar(128) (required): its name
--   @IsAdmin bit (required): 1 = may end anybody's request
-- Errors:
--   51044: there is no such request (any more)
--   51045: the request is another user's
--   51046: the request is a task's, which gives it back when it ends
-- Example: see ReleaseResource
CREATE OR ALTER PROCEDURE {{.Schema}}.ReturnResource
    @RequestId bigint,
    @UserId int,
    @UserName nvarchar(128),
    @IsAdmin bit
WITH EXECUTE AS OWNER
AS
BEGIN
{{.SetOptions}}
    DECLARE @ResourceId int, @SessionId int, @Mine bit = 0, @Rows int, @Locked int, @Lock nvarchar(255) = N'request:' + CONVERT(nvarchar(20), @RequestId);

    SELECT @ResourceId = r.ResourceId, @SessionId = r.SessionId,
           @Mine = CASE WHEN r.RequestedById = @UserId AND r.RequestedByName = @UserName THEN 1 ELSE 0 END
    FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.RequestId = @RequestId;

    IF @ResourceId IS NULL
    BEGIN
        -- Taken away from this session meanwhile: nothing must be left of it.
        IF APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') <> N'NoLock'
            EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};
        THROW 51044, N'dbsched 51044: there is no such request: it was released before, or taken away because its session ended or its lease ran out.', 1;
    END;

    -- Whoever has no user of his own is known by the lock that his session holds.
    IF @IsAdmin = 0 AND @Mine = 0 AND APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') = N'NoLock'
        THROW 51045, N'dbsched 51045: the request belongs to another user.', 1;

    IF @SessionId IS NULL
        THROW 51046, N'dbsched 51046: the request is a task''s, which gives it back when it ends; CancelTask ends it.', 1;

    BEGIN TRY
        BEGIN TRANSACTION;

        SELECT @Locked = s.ResourceId
        FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
        WHERE s.ResourceId = @ResourceId;

        DELETE r
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

        SET @Rows = @@ROWCOUNT;

        EXEC {{.Schema}}.GrantResource @ResourceId;

        COMMIT TRANSACTION;
    END TRY
{{.Undo}}

    -- After the commit: this wakes the session that waits for this request, and it must find what it was granted.
    IF APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

    IF @Rows = 0
        THROW 51044, N'dbsched 51044: there is no such request: it was released before, or taken away because its session ended or its lease ran out.', 1;

    RETURN 0;
END;
