-- Procedure: FreeStaleResources
-- Purpose: Takes out of the lines those whose session died, whose lease ran out, or who gave up, with an alarm for each that held
-- a resource, and grants to the next.
-- Access: private; a short transaction of its own for each.
-- Parameters:
--   @ResourceId int = NULL: only the line of this resource; NULL = all
-- Errors: none of its own
-- Example: EXEC dbsched.FreeStaleResources;
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

        -- Of the index alone, see RecoverLane.
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

        -- The lock is tested after the row was read: whoever had it then is dead, if nobody holds it now. With a lease the
        -- session is forgotten once it has been told.
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
                                                    + CONVERT(nvarchar(20), @RequestId) + N'), who had not released it: ' + @Why + N'.'
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
