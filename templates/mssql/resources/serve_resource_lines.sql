-- Procedure: ServeResourceLines
-- Purpose: Ends expired leases, and makes tasks Pending after they were granted their resource.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.ServeResourceLines
AS
BEGIN
    DECLARE @RequestId bigint, @LastRequestId bigint = 0, @ResourceId int, @ProcessId int, @TaskId bigint, @Held bit, @Locked int, @Round int = 0;
    DECLARE @Later TABLE (ProcessId int NOT NULL PRIMARY KEY);

    IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (NOLOCK)
               WHERE r.LeaseUntil IS NOT NULL AND r.LeaseUntil <= SYSUTCDATETIME())
        EXEC {{.Schema}}.FreeStaleResources;

    WHILE @Round < 500
    BEGIN
        SET @Round = @Round + 1;
        SET @RequestId = NULL;

        SELECT TOP (1) @RequestId = r.RequestId, @ResourceId = r.ResourceId, @ProcessId = r.ProcessId, @TaskId = r.TaskId
        FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.Status = 'Reserved' AND r.SessionId IS NULL AND r.RequestId > @LastRequestId
          AND NOT EXISTS (SELECT 1 FROM @Later AS h WHERE h.ProcessId = r.ProcessId)
        ORDER BY r.RequestId
        OPTION (MAXDOP 1);

        IF @RequestId IS NULL
            BREAK;

        SET @LastRequestId = @RequestId;

        BEGIN TRANSACTION;

        EXEC {{.Schema}}.LockProcess @ProcessId, @Held OUTPUT;
        IF @Held = 1
        BEGIN
            COMMIT TRANSACTION;
            INSERT INTO @Later (ProcessId) VALUES (@ProcessId);
            CONTINUE;
        END;

        UPDATE t
        SET t.Status = 'Pending', t.WaitReason = NULL
        FROM {{.Schema}}.Tasks AS t WITH (READCOMMITTEDLOCK, ROWLOCK)
        WHERE t.TaskId = @TaskId AND t.Status = 'Waiting' AND t.WaitReason = 'Resource';

        IF @@ROWCOUNT = 1
        BEGIN
            UPDATE p
            SET p.HasWork = 1, p.WaveOrder = NULL
            FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
            WHERE p.ProcessId = @ProcessId AND p.FinishedAt IS NULL;

            -- Under the resource's lock, like every change of a line: a count of holders must not miss one that changes.
            SELECT @Locked = s.ResourceId
            FROM {{.Schema}}.Resources AS s WITH (UPDLOCK, ROWLOCK)
            WHERE s.ResourceId = @ResourceId;

            UPDATE r
            SET r.Status = 'Granted'
            FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
            WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId AND r.Status = 'Reserved';
        END
        ELSE IF EXISTS (SELECT 1 FROM {{.Schema}}.ResourceRequests AS r WITH (READCOMMITTEDLOCK, ROWLOCK)
                        WHERE r.ResourceId = @ResourceId AND r.RequestId = @RequestId AND r.Status = 'Reserved')
            EXEC {{.Schema}}.LeaveResourceLine @ProcessId, @TaskId; -- a late task, skipped or purged: see RunSweep

        COMMIT TRANSACTION;
    END;

    -- The rest follows in the next turn, at once.
    IF @RequestId IS NOT NULL OR EXISTS (SELECT 1 FROM @Later)
        EXEC {{.Schema}}.SendWake;
END;
