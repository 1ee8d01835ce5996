-- Procedure: ReleaseResource
-- Purpose: Releases what AcquireResource granted, and grants it to the next in line. Raises 51044 if the resource was already lost.
-- Administrators can end any user's request.
-- Access: public: dbsched_user (own requests), dbsched_admin
-- Parameters:
--   @RequestId bigint (required): the request, from AcquireResource or ResourceInfo
-- Errors:
--   51010: called inside a transaction
--   51044: the request does not exist, or no longer exists
--   51045: the request belongs to another user
--   51046: the request belongs to a task, and is released when the task ends
-- Example: EXEC dbsched.ReleaseResource 12;
CREATE OR ALTER PROCEDURE {{.Schema}}.ReleaseResource
    @RequestId bigint
WITH EXECUTE AS OWNER
AS
BEGIN
{{.RefuseTransaction "ReleaseResource" ", which would block the line"}}

{{.SetOptions}}
{{.CallerAlone}}    DECLARE @ResourceId int, @SessionId int, @Mine bit = 0, @Rows int, @Locked int, @Lock nvarchar(255) = N'request:' + CONVERT(nvarchar(20), @RequestId);

    -- Read the index only, see RecoverLane; then the row.
    SELECT @ResourceId = r.ResourceId
    FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.RequestId = @RequestId;

    SELECT @Rows = 1, @SessionId = r.SessionId, @Mine = CASE WHEN r.RequestedBySid = @UserSid THEN 1 ELSE 0 END
    FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

    IF @Rows IS NULL
    BEGIN
        -- Already taken from this session: release its lock too.
        IF APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') <> N'NoLock'
            EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};
        THROW 51044, N'dbsched 51044: there is no such request. It was already released, or taken back because its session ended or its lease ran out.', 1;
    END;

    -- A caller without a database user is identified by the lock that its session holds.
    IF @IsAdmin = 0 AND @Mine = 0 AND APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') = N'NoLock'
        THROW 51045, N'dbsched 51045: the request belongs to another user. Ask an administrator.', 1;

    IF @SessionId IS NULL
        THROW 51046, N'dbsched 51046: the request belongs to a task, and is released when the task ends. To end the task, call CancelTask.', 1;

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

    -- After the commit: this wakes the session waiting for this request, which must find that it was granted.
    IF APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') <> N'NoLock'
        EXEC sys.sp_releaseapplock @Resource = @Lock, @LockOwner = 'Session', @DbPrincipal = {{.LocksRoleLit}};

    IF @Rows = 0
        THROW 51044, N'dbsched 51044: there is no such request. It was already released, or taken back because its session ended or its lease ran out.', 1;

    RETURN 0;
END;
