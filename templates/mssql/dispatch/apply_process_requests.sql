-- Procedure: ApplyProcessRequests
-- Purpose: Applies committed requests of ReleaseProcess and CloseProcess, and of enqueuers for a look from the beginning.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.ApplyProcessRequests
AS
BEGIN
    DECLARE @ProcessId int, @HeldId int = 0, @Held bit, @RequestId bigint, @Action varchar(7), @Round int = 0;

    WHILE @Round < 500
    BEGIN
        SET @Round = @Round + 1;
        SET @RequestId = NULL;

        -- READPAST: uncommitted requests do not exist yet.
        SELECT TOP (1) @ProcessId = r.ProcessId, @RequestId = r.RequestId, @Action = r.Action
        FROM {{.Schema}}.ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ProcessId > @HeldId
        ORDER BY r.ProcessId, r.RequestId;

        IF @RequestId IS NULL
            BREAK;

        BEGIN TRANSACTION;

        EXEC {{.Schema}}.LockProcess @ProcessId, @Held OUTPUT;
        IF @Held = 1
        BEGIN
            COMMIT TRANSACTION;
            SET @HeldId = @ProcessId;
            CONTINUE;
        END;

        UPDATE p
        SET p.Status = CASE WHEN @Action = 'Release' AND p.Status = 'Suspended' THEN CASE WHEN p.CloseRequested = 1 THEN 'Closing' ELSE 'Open' END
                            WHEN @Action = 'Close' AND p.Status = 'Open' THEN 'Closing'
                            ELSE p.Status END,
            p.CloseRequested = CASE WHEN @Action = 'Close' THEN 1 ELSE p.CloseRequested END,
            p.HasWork = CASE WHEN p.FinishedAt IS NULL THEN 1 ELSE p.HasWork END,
            p.WaveOrder = CASE WHEN @Action = 'Look' THEN NULL ELSE p.WaveOrder END
        FROM {{.Schema}}.Processes AS p WITH (READCOMMITTEDLOCK, ROWLOCK, INDEX (PK_Processes))
        -- A process that failed before the close was applied closes when it is retried.
        WHERE p.ProcessId = @ProcessId AND (p.FinishedAt IS NULL OR @Action = 'Close');

        DELETE r
        FROM {{.Schema}}.ProcessRequests AS r WITH (READPAST, READCOMMITTEDLOCK, ROWLOCK)
        WHERE r.ProcessId = @ProcessId AND (r.RequestId = @RequestId OR (@Action = 'Look' AND r.Action = 'Look')); -- one look is enough

        EXEC {{.Schema}}.CloseIfDone @ProcessId;

        COMMIT TRANSACTION;
    END;

    -- The rest follows in the next turn, at once.
    IF @RequestId IS NOT NULL OR @HeldId > 0
        EXEC {{.Schema}}.SendWake;
END;
