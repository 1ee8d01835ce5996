-- Procedure: ReleaseDueTasks
-- Purpose: Makes due delayed tasks and retries claimable, in slices.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.ReleaseDueTasks
AS
BEGIN
    DECLARE @ProcessId int, @Held bit, @Round int = 0, @Now datetime2(3) = SYSUTCDATETIME();
    DECLARE @Later TABLE (ProcessId int NOT NULL PRIMARY KEY); -- in the next turn, in a second

    WHILE @Round < 50
    BEGIN
        SET @Round = @Round + 1;
        SET @ProcessId = NULL;

        SELECT TOP (1) @ProcessId = t.ProcessId
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.DueAt IS NOT NULL AND t.DueAt <= @Now AND NOT EXISTS (SELECT 1 FROM @Later AS h WHERE h.ProcessId = t.ProcessId)
        ORDER BY t.DueAt
        OPTION (MAXDOP 1);

        IF @ProcessId IS NULL
            BREAK;

        BEGIN TRANSACTION;

        EXEC {{.Schema}}.LockProcess @ProcessId, @Held OUTPUT;
        IF @Held = 1
        BEGIN
            COMMIT TRANSACTION;
            INSERT INTO @Later (ProcessId) VALUES (@ProcessId);
            CONTINUE;
        END;

        UPDATE TOP (500) t
        SET t.Status = 'Pending', t.WaitReason = NULL, t.DueAt = NULL
        FROM {{.Schema}}.Tasks AS t WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK, FORCESEEK)
        WHERE t.DueAt IS NOT NULL AND t.DueAt <= @Now AND t.ProcessId = @ProcessId AND t.Status = 'Waiting'
        OPTION (MAXDOP 1);

        UPDATE p
        SET p.HasWork = 1, p.WaveOrder = NULL
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
        WHERE p.ProcessId = @ProcessId AND p.FinishedAt IS NULL;

        COMMIT TRANSACTION;
    END;
END;
