-- Procedure: GrantResource
-- Purpose: Grants a resource to those whose turn it is: first come, first served; a request for all units waits until none is
-- held, and holds back all after it. Whoever waits and is dead is taken out of the line. Joins the caller's transaction, which
-- holds the lock on the resource's row.
-- Access: private
-- Parameters:
--   @ResourceId int (required): the resource
--   @OwnRequestId bigint = NULL: a request of the caller's, who sees for himself whether it was granted
-- Errors: none of its own
-- Example: EXEC dbsched.GrantResource @ResourceId = 1;
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

        -- All holders stand before the first that waits, so they are all that counts.
        SELECT @Held = COUNT(*), @Exclusive = ISNULL(SUM(CASE WHEN r.Access = 'Exclusive' THEN 1 ELSE 0 END), 0)
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @ResourceId AND r.Status IN ('Granted', 'Reserved')
        OPTION (MAXDOP 1);

        IF @Exclusive > 0 OR @Held >= @Capacity OR (@Access = 'Exclusive' AND @Held > 0)
            BREAK;

        -- A session holds a lock of its request from before the request is seen; nobody's lock is a dead session. Shared, since
        -- others wait for that lock in this mode.
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
                -- A session that does not know yet that it was granted loses nothing of its lease: WaitForResource begins it.
                r.LeaseUntil = CASE WHEN r.RequestId = @OwnRequestId THEN DATEADD(second, r.LeaseSeconds, SYSUTCDATETIME()) END
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId;

            -- The dispatcher makes the task Pending: whoever is here may not take the lock on its process any more.
            IF @SessionId IS NULL AND ISNULL(@OwnRequestId, 0) <> @RequestId
                SET @Wake = 1;
        END;
    END;

    IF @Wake = 1
        EXEC {{.Schema}}.SendWake;
END;
