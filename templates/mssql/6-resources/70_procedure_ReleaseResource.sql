-- Procedure: ReleaseResource
-- Purpose: Gives back what AcquireResource granted, and lets the next in the line have it. An error tells that it had been lost
-- before. Administrators end anybody's request with it.
-- Access: public: dbsched_user (own requests), dbsched_admin
-- Parameters:
--   @RequestId bigint (required): the request, as AcquireResource gave it, or from ResourceInfo
-- Errors:
--   51010: called inside a transaction
--   51044: there is no such request (any more)
--   51045: the request is another user's
--   51046: the request is a task's, which gives it back when it ends
-- Example: EXEC dbsched.ReleaseResource 12;
CREATE OR ALTER PROCEDURE {{.Schema}}.ReleaseResource
    @RequestId bigint
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "ReleaseResource" ", which would hold the line"}}

{{.SetOptions}}
{{.CallerAlone}}    DECLARE @ResourceId int, @SessionId int, @Mine bit = 0, @Rows int, @Locked int, @Lock nvarchar(255) = N'request:' + CONVERT(nvarchar(20), @RequestId);

    SELECT @ResourceId = r.ResourceId, @SessionId = r.SessionId,
           @Mine = CASE WHEN r.RequestedBySid = @UserSid THEN 1 ELSE 0 END
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
