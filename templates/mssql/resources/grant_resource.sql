-- Procedure: GrantResource
-- Purpose: Grants a resource to the next requests in line, in the order of arrival. An Exclusive request waits until no unit is
-- held, and blocks all requests after it. Waiting requests of dead sessions are removed. Joins the caller's transaction, which holds
-- the lock on the resource's row.
-- Access: private
-- Parameters:
--   @ResourceId int (required): the resource
--   @OwnRequestId bigint = NULL: a request of the caller, which checks itself whether it was granted
CREATE OR ALTER PROCEDURE {{.Schema}}.GrantResource
    @ResourceId int,
    @OwnRequestId bigint = NULL
AS
BEGIN
{{.SetOptionsJoin}}
    DECLARE @Capacity int, @Held int, @Exclusive int, @RequestId bigint, @Access varchar(9), @SessionId int, @GiveUpAt datetime2(3);
    DECLARE @Lock nvarchar(255), @Wake bit = 0;

    SELECT @Capacity = s.Capacity
    FROM {{.Schema}}.Resources AS s WITH (READCOMMITTEDLOCK, ROWLOCK)
    WHERE s.ResourceId = @ResourceId;

    WHILE 1 = 1
    BEGIN
        SET @RequestId = NULL;

        SELECT TOP (1) @RequestId = r.RequestId, @Access = r.Access, @SessionId = r.SessionId, @GiveUpAt = r.GiveUpAt
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.Status = 'Waiting'
        ORDER BY r.RequestId
        OPTION (MAXDOP 1);

        IF @RequestId IS NULL
            BREAK;

        -- All holders come before the first waiting request, so only they count.
        SELECT @Held = COUNT(*), @Exclusive = ISNULL(SUM(CASE WHEN r.Access = 'Exclusive' THEN 1 ELSE 0 END), 0)
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.Status IN ('Granted', 'Reserved')
        OPTION (MAXDOP 1);

        IF @Exclusive > 0 OR @Held >= @Capacity OR (@Access = 'Exclusive' AND @Held > 0)
            BREAK;

        -- A session locks its request before other sessions can see it, so a free lock means a dead session. Shared, because
        -- other sessions wait for the lock in this mode.
        SET @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);
        IF @SessionId IS NOT NULL AND ISNULL(@OwnRequestId, 0) <> @RequestId
           AND (@GiveUpAt <= SYSUTCDATETIME()
                OR (APPLOCK_TEST({{.LocksRoleLit}}, @Lock, 'Shared', 'Session') = 1
                    AND APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') = N'NoLock'))
            DELETE r
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;
        ELSE
        BEGIN
            UPDATE r
            SET r.Status = CASE WHEN r.RequestId = @OwnRequestId THEN 'Granted' ELSE 'Reserved' END,
                r.GrantedAt = SYSUTCDATETIME(),
                -- The lease of a session that has not been told yet does not start here: AcquireResource starts it.
                r.LeaseUntil = CASE WHEN r.RequestId = @OwnRequestId THEN DATEADD(second, r.LeaseSeconds, SYSUTCDATETIME()) END
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            -- The dispatcher makes the task Pending: here, the lock order no longer permits a lock on its process.
            IF @SessionId IS NULL AND ISNULL(@OwnRequestId, 0) <> @RequestId
                SET @Wake = 1;
        END;
    END;

    IF @Wake = 1
        EXEC {{.Schema}}.SendWake;
END;
