-- Procedure: FreeStaleResources
-- Purpose: Removes requests whose session died, whose lease ran out, or that gave up, raises an alarm for each that held a
-- resource, and grants the resource to the next in line.
-- Access: private; one short transaction per request.
-- Parameters:
--   @ResourceId int = NULL: the resource; NULL = all resources
CREATE OR ALTER PROCEDURE {{.Schema}}.FreeStaleResources
    @ResourceId int = NULL
AS
BEGIN
{{.SetOptions}}
    DECLARE @Id int, @RequestId bigint, @LastRequestId bigint = 0, @Locked int, @Status varchar(8), @Requester nvarchar(128), @TaskId bigint, @ProcessId int;
    DECLARE @SessionId int, @LeaseSeconds int, @LeaseUntil datetime2(3), @GiveUpAt datetime2(3), @Lock nvarchar(255), @Why nvarchar(100), @Message nvarchar(2000);

    WHILE 1 = 1
    BEGIN
        SET @RequestId = NULL;

        -- Read the index only, see RecoverLane.
        SELECT TOP (1) @RequestId = r.RequestId, @Id = r.ResourceId
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.SessionId IS NOT NULL AND r.RequestId > @LastRequestId AND (@ResourceId IS NULL OR r.ResourceId = @ResourceId)
        ORDER BY r.RequestId
        OPTION (MAXDOP 1);

        IF @RequestId IS NULL
            BREAK;

        SELECT @LastRequestId = @RequestId, @Status = NULL, @Why = NULL, @Lock = N'request:' + CONVERT(nvarchar(20), @RequestId);

        SELECT @Status = r.Status, @Requester = r.Requester, @TaskId = r.TaskId, @ProcessId = r.ProcessId,
               @SessionId = r.SessionId, @LeaseSeconds = r.LeaseSeconds, @LeaseUntil = r.LeaseUntil, @GiveUpAt = r.GiveUpAt
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ResourceId = @Id AND r.RequestId = @RequestId;

        IF @Status IS NULL
            CONTINUE;

        -- Test the lock after reading the row: if it is free now, the session in the row is dead. With a lease, the session no
        -- longer matters once it has been told that it was granted.
        IF @LeaseUntil <= SYSUTCDATETIME()
            SET @Why = N'its lease ran out';
        ELSE IF @Status <> 'Granted' AND @GiveUpAt <= SYSUTCDATETIME()
            SET @Why = N'it gave up';
        ELSE IF (@Status <> 'Granted' OR @LeaseSeconds IS NULL)
                AND APPLOCK_TEST({{.LocksRoleLit}}, @Lock, 'Shared', 'Session') = 1
                AND APPLOCK_MODE({{.LocksRoleLit}}, @Lock, 'Session') = N'NoLock'
            SET @Why = N'its session ' + CONVERT(nvarchar(10), @SessionId) + N' ended';

        IF @Why IS NOT NULL
        BEGIN
            BEGIN TRANSACTION;

            SELECT @Locked = s.ResourceId, @Message = N'The resource ' + QUOTENAME(s.Name) + N' was taken from "' + @Requester + N'" (request '
                                                    + CONVERT(nvarchar(20), @RequestId) + N') before it was released: ' + @Why + N'.'
            FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @Id;

            DELETE r
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @Id AND r.RequestId = @RequestId AND r.Status = @Status;

            IF @@ROWCOUNT = 1
            BEGIN
                EXEC {{.Schema}}.GrantResource @Id;

                IF @Status = 'Granted'
                    EXEC {{.Schema}}.RaiseAlarm @Kind = 'StaleResource', @Message = @Message, @ProcessId = @ProcessId, @TaskId = @TaskId;
            END;

            COMMIT TRANSACTION;
        END;
    END;
END;
